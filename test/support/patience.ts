/** How long an operation on a store may take in tests that are not about time, in milliseconds: the machine may be busy. */
export const PATIENT_MS = 30_000;

/** The options of an adapter with that deadline. */
export const PATIENT = { deadlineMs: PATIENT_MS } as const;
