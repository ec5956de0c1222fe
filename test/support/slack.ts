/**
 * How far a busy machine may exceed a time limit, in milliseconds, before a test fails. Without the code that keeps it, each
 * limit that is tested this way would be exceeded by more than this.
 */
export const SLACK_MS = 10_000;
