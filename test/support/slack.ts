/**
 * What a busy machine may take beyond a bound, in milliseconds, before a test takes the bound for broken. Each bound that
 * is tested so would be missed by more than this if nothing kept it.
 */
export const SLACK_MS = 2000;
