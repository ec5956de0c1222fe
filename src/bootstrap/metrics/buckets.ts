/**
 * The upper bounds of the buckets of durations, in seconds. Answers from memory take tens of microseconds, those from a
 * database milliseconds, and a request that waits for a silent one 5 seconds.
 */
export const DURATION_BUCKETS = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
