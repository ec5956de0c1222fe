import type { Fetch } from './remote-options.js';

/**
 * Checks whether a service is ready, without an API key. Resolves to the status of the response: 200 if it is. Rejects with the
 * error of the connection, or with a time-out error.
 *
 * @param url The address of `/readyz`.
 */
export async function checkReadiness(url: string, fetch: Fetch, timeoutMs: number): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'GET', headers: {}, redirect: 'manual', signal });
  await response.text();
  return response.status;
}
