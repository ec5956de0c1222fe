import { abortable } from '../../application/abortable.js';
import type { CallOptions } from '../../domain/call-options.js';
import { AnimalStoreError } from '../../domain/errors.js';
import type { CheckedOptions } from './remote-options.js';
import {
  NoResponseError,
  responseError,
  sendRequest,
  UnreadableBodyError,
  type RemoteRequest,
  type RemoteResponse,
} from './send-request.js';

/** 425: TLS early data, which can be replayed. Cloudflare (520 to 524) and others (529) use numbers of their own for 502 to 504. */
const UNAVAILABLE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** In milliseconds, unless less is left. */
const SHORTEST_ATTEMPT_MS = 250;

/** In milliseconds. Each pause is twice as long as the previous one. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/** Each attempt may take half of the remaining time, so that a dead connection does not use up all of it. */
export async function requestWithRetry(
  service: CheckedOptions,
  request: RemoteRequest,
  { signal }: CallOptions = {},
): Promise<RemoteResponse> {
  const end = performance.now() + service.deadlineMs;
  let wasUnreadable = false;
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.max(1, end - performance.now());
    const limitMs = Math.ceil(Math.min(leftMs, Math.max(leftMs / 2, SHORTEST_ATTEMPT_MS)));
    const result = await attempt(service, request, limitMs, signal);
    const isResponse = !(result instanceof Error);
    if (isResponse && !UNAVAILABLE.has(result.status)) return result;
    const isUnreadable = result instanceof UnreadableBodyError && !UNAVAILABLE.has(result.status);
    if (isUnreadable && wasUnreadable) throw result;
    wasUnreadable = isUnreadable;
    const pauseMs = backoffMs(attempts, isResponse ? result.headers.get('retry-after') : null);
    if (performance.now() + pauseMs >= end) {
      const cause = isResponse ? responseError(result) : result;
      throw new AnimalStoreError('store_unavailable', 'the remote store did not answer in time', { cause });
    }
    await pause(pauseMs, signal);
  }
}

async function attempt(
  service: CheckedOptions,
  request: RemoteRequest,
  limitMs: number,
  signal: CallOptions['signal'],
): Promise<RemoteResponse | NoResponseError | UnreadableBodyError> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    return await abortable(signal, async () => sendRequest(service, request, controller.signal));
  } catch (error) {
    if (!(error instanceof NoResponseError || error instanceof UnreadableBodyError)) throw error;
    // Only the timer can have aborted it.
    return controller.signal.aborted
      ? new NoResponseError(`no response within ${limitMs} ms`, { cause: error.cause })
      : error;
  } finally {
    clearTimeout(timer);
    // Ends a request that nobody waits for. It changes nothing for a response that was read.
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
    await abortable(signal, wait);
  } finally {
    clearTimeout(timer);
  }
}

/** In milliseconds. Random, so that clients that failed together do not retry together. @param attempts 1 or more. */
export function backoffMs(attempts: number, retryAfter: string | null): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return retryAfterMs(retryAfter) + pause * (0.5 + Math.random() / 2);
}

/** In milliseconds; `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  if (/^[0-9]{1,10}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
