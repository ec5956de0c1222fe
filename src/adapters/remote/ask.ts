import { AnimalStoreError } from '../../domain/errors.js';
import { exchange, NoAnswerError, refusalOf, type RemoteAnswer, type RemoteRequest } from './exchange.js';
import { pauseAfter } from './pauses.js';
import type { CheckedService } from './remote-options.js';

/**
 * Statuses that say "not now": the service or a proxy before it sends them in place of the answer of an operation, and later it
 * may be another one. 408: the request did not arrive in time. 425: it came in data of TLS that others can send again. 429: too
 * many requests. 502, 503 and 504: the service did not answer, or not in time; by their own numbers, Cloudflare (520 to 524) and
 * others (529) say the same.
 */
const UNAVAILABLE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/** The shortest time that an attempt gets, in milliseconds, if so much is left. */
const SHORTEST_ATTEMPT_MS = 250;

/** The end of an attempt: an answer, or why there is none. */
type Attempt = { readonly answer: RemoteAnswer } | { readonly cause: Error; readonly retryAfter: string | null };

/**
 * Sends a request, and sends it again until it is answered or the deadline has passed: if the connection failed or stays silent,
 * and after the statuses of {@link UNAVAILABLE}. A silent attempt is given up after half of the time that is left, so that a connection that
 * went dead does not use up all of it. If `Retry-After` asks for more time than is left, the call ends at once.
 *
 * Rejects with `store_unavailable`, whose `cause` is the end of the last attempt, and with a `RemoteStoreError` for an answer
 * that `exchange` refuses.
 *
 * @param isRepeatable Whether the request may be sent more than once. Otherwise it is sent once, with the whole time.
 */
export async function ask(
  service: CheckedService,
  request: RemoteRequest,
  isRepeatable: boolean,
): Promise<RemoteAnswer> {
  const end = performance.now() + service.deadlineMs;
  for (let attempts = 1; ; attempts++) {
    const leftMs = Math.max(1, end - performance.now());
    const limitMs = isRepeatable ? Math.min(leftMs, Math.max(leftMs / 2, SHORTEST_ATTEMPT_MS)) : leftMs;
    const attempt = await attemptOnce(service, request, Math.ceil(limitMs));
    if ('answer' in attempt) return attempt.answer;
    const pauseMs = pauseAfter(attempts, attempt.retryAfter);
    if (!isRepeatable || performance.now() + pauseMs >= end) throw storeUnavailable(attempt.cause);
    await delay(pauseMs);
  }
}

async function attemptOnce(service: CheckedService, request: RemoteRequest, limitMs: number): Promise<Attempt> {
  try {
    const answer = await withTimeLimit(limitMs, async (signal) => exchange(service, request, signal));
    if (!UNAVAILABLE.has(answer.status)) return { answer };
    return { cause: refusalOf(answer), retryAfter: answer.headers.get('retry-after') };
  } catch (error) {
    if (error instanceof NoAnswerError) return { cause: error, retryAfter: null };
    throw error;
  }
}

/** Runs what the signal aborts when the time is over. Rejects with a `NoAnswerError` then, even if the signal is ignored. */
async function withTimeLimit<T>(limitMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([run(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
    // Ends what is still under way: a silent request, or a body that is too large. An answer that was read is not affected.
    controller.abort();
  }
}

async function delay(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

function storeUnavailable(cause: Error): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'the remote store did not answer in time', { cause });
}
