import { abortable } from '../../application/abortable.js';
import type { CallOptions } from '../../domain/call-options.js';
import { AnimalStoreError } from '../../domain/errors.js';
import { backoffMs } from './backoff.js';
import type { CheckedService } from './remote-options.js';
import {
  NoResponseError,
  responseError,
  sendRequest,
  type RemoteRequest,
  type RemoteResponse,
} from './send-request.js';

/**
 * Statuses of temporary failures: the service, or a proxy in front of it, sends them instead of the response of an operation, so
 * a retry may succeed. 408: the request did not arrive in time. 425: it arrived in TLS early data, which can be replayed. 429:
 * too many requests. 502, 503 and 504: the service did not answer, or not in time. Cloudflare (520 to 524) and others (529) use
 * numbers of their own for the same.
 */
const UNAVAILABLE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** The minimum time for an attempt, in milliseconds, unless less is left. */
const SHORTEST_ATTEMPT_MS = 250;

/**
 * Sends a request, and retries until there is a response or the deadline has passed. Retries if the connection fails, if there is
 * no response, and after the statuses of {@link UNAVAILABLE}. Each attempt may take half of the remaining time, so that a dead
 * connection does not use up all of it. If `Retry-After` asks for more time than is left, the call rejects immediately.
 *
 * Rejects with `store_unavailable`, whose `cause` is the error of the last attempt; with a `RemoteStoreError` for a response
 * that `sendRequest` refuses; with the signal's reason as soon as it is aborted.
 *
 * @param isRepeatable Whether the request may be sent more than once. Otherwise it is sent once, with the whole time.
 */
export async function requestWithRetry(
  service: CheckedService,
  request: RemoteRequest,
  isRepeatable: boolean,
  { signal }: CallOptions = {},
): Promise<RemoteResponse> {
  const end = performance.now() + service.deadlineMs;
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.max(1, end - performance.now());
    const limitMs = isRepeatable ? Math.min(leftMs, Math.max(leftMs / 2, SHORTEST_ATTEMPT_MS)) : leftMs;
    const result = await attempt(service, request, Math.ceil(limitMs), signal);
    const isResponse = !(result instanceof NoResponseError);
    if (isResponse && !UNAVAILABLE.has(result.status)) return result;
    const pauseMs = backoffMs(attempts, isResponse ? result.headers.get('retry-after') : null);
    if (!isRepeatable || performance.now() + pauseMs >= end) {
      const cause = isResponse ? responseError(result) : result;
      throw new AnimalStoreError('store_unavailable', 'the remote store did not answer in time', { cause });
    }
    await pause(pauseMs, signal);
  }
}

async function attempt(
  service: CheckedService,
  request: RemoteRequest,
  limitMs: number,
  signal: CallOptions['signal'],
): Promise<RemoteResponse | NoResponseError> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    return await abortable(signal, async () => sendRequest(service, request, controller.signal), asError);
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    // Only the timer has aborted it so far.
    return controller.signal.aborted
      ? new NoResponseError(`no answer within ${limitMs} ms`, { cause: error.cause })
      : error;
  } finally {
    clearTimeout(timer);
    // Ends a request that is no longer waited for. It changes nothing for a response that was read.
    controller.abort();
  }
}

async function pause(ms: number, signal: CallOptions['signal']): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = async (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  try {
    await abortable(signal, wait, asError);
  } finally {
    clearTimeout(timer);
  }
}

/** A call that its signal ends rejects with the signal's reason, whatever that is. */
function asError(reason: unknown): Error {
  return reason as Error;
}
