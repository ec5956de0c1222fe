import { Histogram, type Registry } from 'prom-client';

/**
 * The upper bounds of the buckets, in seconds. Answers from memory take tens of microseconds, those from a database
 * milliseconds, and a request to an unresponsive database 5 seconds.
 */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * Creates a histogram of durations, in seconds.
 *
 * @param name Ends in `_seconds`.
 */
export function durationHistogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  registers: Registry[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: BOUNDS, registers });
}
