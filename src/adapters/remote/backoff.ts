/** The pause before the second attempt, and the longest one, in milliseconds. Each pause is twice as long as the previous one. */
const FIRST_MS = 50;
const LONGEST_MS = 2000;

/**
 * How long to wait after a failed attempt, in milliseconds: a random time from half of the pause to all of it, so that clients
 * that failed together do not retry together. It is added to the time that the service asked for.
 *
 * @param attempts How many attempts have failed: 1 or more.
 * @param retryAfter The `Retry-After` header field of the response, if it had one.
 */
export function backoffMs(attempts: number, retryAfter: string | null): number {
  const pause = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
  return retryAfterMs(retryAfter) + pause * (0.5 + Math.random() / 2);
}

/** What a `Retry-After` asks for, in milliseconds: a number of seconds or a date (RFC 9110, section 10.2.3). 0 if nothing. */
function retryAfterMs(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  if (/^[0-9]{1,10}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
