import type { Fetch } from './remote-options.js';

/**
 * Asks a service whether it is ready, without an API key. Resolves to the status of the answer: 200 if it is. Rejects with the
 * error of the connection, or with a time-out error.
 *
 * @param url The address of `/readyz`.
 */
export async function askReadiness(url: string, fetch: Fetch, timeoutMs: number): Promise<number> {
  const { body, status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  await body?.cancel();
  return status;
}
