import { abortable } from '../../application/abortable.js';
import type { CallOptions } from '../../domain/call-options.js';
import { AnimalStoreError } from '../../domain/errors.js';
import { exchange, NoAnswerError, refusalOf, type RemoteAnswer, type RemoteRequest } from './exchange.js';
import { pauseAfter } from './pauses.js';
import type { CheckedService } from './remote-options.js';

/**
 * Statuses of temporary failures: the service, or a proxy in front of it, sends them instead of the answer of an operation, so
 * a retry may succeed. 408: the request did not arrive in time. 425: it arrived in TLS early data, which can be replayed. 429:
 * too many requests. 502, 503 and 504: the service did not answer, or not in time. Cloudflare (520 to 524) and others (529) use
 * numbers of their own for the same.
 */
const UNAVAILABLE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** The minimum time for an attempt, in milliseconds, unless less is left. */
const SHORTEST_ATTEMPT_MS = 250;

/** The result of an attempt: an answer, or the reason why there is none. */
type Attempt = { readonly answer: RemoteAnswer } | { readonly cause: Error; readonly retryAfter: string | null };

/**
 * Sends a request, and retries until it is answered or the deadline has passed. Retries if the connection fails, if there is no
 * answer, and after the statuses of {@link UNAVAILABLE}. Each attempt may wait for an answer for half of the remaining time, so
 * that a dead connection does not use up all of it. If `Retry-After` asks for more time than is left, the call rejects
 * immediately.
 *
 * Rejects with `store_unavailable`, whose `cause` is the error of the last attempt; with a `RemoteStoreError` for an answer
 * that `exchange` refuses; with the signal's reason as soon as it is aborted.
 *
 * @param isRepeatable Whether the request may be sent more than once. Otherwise it is sent once, with the whole time.
 */
export async function ask(
  service: CheckedService,
  request: RemoteRequest,
  isRepeatable: boolean,
  { signal }: CallOptions = {},
): Promise<RemoteAnswer> {
  const end = performance.now() + service.deadlineMs;
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.max(1, end - performance.now());
    const limitMs = isRepeatable ? Math.min(leftMs, Math.max(leftMs / 2, SHORTEST_ATTEMPT_MS)) : leftMs;
    const attempt = await attemptOnce(service, request, Math.ceil(limitMs), signal);
    if ('answer' in attempt) return attempt.answer;
    const pauseMs = pauseAfter(attempts, attempt.retryAfter);
    if (!isRepeatable || performance.now() + pauseMs >= end) throw storeUnavailable(attempt.cause);
    await delay(pauseMs, signal);
  }
}

async function attemptOnce(
  service: CheckedService,
  request: RemoteRequest,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  try {
    const answer = await withTimeLimit(limitMs, signal, async (limit) => exchange(service, request, limit));
    if (!UNAVAILABLE.has(answer.status)) return { answer };
    return { cause: refusalOf(answer), retryAfter: answer.headers.get('retry-after') };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NoAnswerError) return { cause: error, retryAfter: null };
    throw error;
  }
}

/**
 * Runs a function with a signal that aborts when the time is up or the caller's signal is aborted. Then rejects, with a
 * `NoAnswerError` or the caller's reason, even if the function ignores the signal.
 */
async function withTimeLimit<T>(
  limitMs: number,
  callers: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callers?.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new NoAnswerError(`no answer within ${limitMs} ms`)), limitMs);
  const cancel = (): void => limit.abort(callers?.reason);
  callers?.addEventListener('abort', cancel);
  try {
    return await abortable(limit.signal, async () => run(limit.signal));
  } finally {
    clearTimeout(timer);
    callers?.removeEventListener('abort', cancel);
    // Stops reading a body that is too large. An answer that was read is not affected.
    limit.abort();
  }
}

/** Waits, for less time if the signal is aborted. Rejects with its reason if it is aborted already. */
async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

function storeUnavailable(cause: Error): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'the remote store did not answer in time', { cause });
}
