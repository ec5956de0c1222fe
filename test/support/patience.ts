/** How long an operation on a store may take in tests that are not about time, in milliseconds: the machine may be busy. */
export const PATIENT_MS = 30_000;

/**
 * How long tests wait for what another process prints or for a condition, in milliseconds: the machine may be busy. It is a little
 * less than the time-out of a test in `.mocharc.json`, so that the message says what did not come.
 */
export const WAIT_MS = 170_000;

/** The options of an adapter with the deadline of {@link PATIENT_MS}. */
export const PATIENT = { deadlineMs: PATIENT_MS } as const;
