import { JsonError, parseJson } from '../../json/parse-json.js';
import { BodyError, readText } from './read-text.js';
import type { CheckedService } from './remote-options.js';
import { withoutKey } from './without-key.js';
import { asCode, asRequestId, RemoteStoreError } from './remote-store-error.js';

/** How many redirects one request follows. */
const MAX_REDIRECTS = 5;

/** Statuses of redirects after which the same request is sent to the new address: with GET, and with any method. */
const REDIRECTS_OF_GET: ReadonlySet<number> = new Set([301, 302, 303]);
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** A request of the catalogue. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  /** The path and the query, below the base address: `/pets?limit=1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer of the service, read to its end. */
export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly requestId: string | undefined;
}

/** The connection failed, or ended before the answer was whole. The `cause` says why. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * Sends a request once, with the API key, and reads the answer. Follows redirects within the origin.
 *
 * Rejects with a {@link NoAnswerError}, or with a {@link RemoteStoreError} for an answer whose body is too large or no UTF-8,
 * and for a redirect that leads to another origin, a second request or in circles.
 */
export async function exchange(
  service: CheckedService,
  { method, target, headers, body }: RemoteRequest,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  const init: RequestInit = {
    method,
    headers: { Accept: 'application/json', Authorization: `Bearer ${service.apiKey}`, ...headers },
    ...(body !== undefined && { body }),
    // Otherwise, `fetch` would follow to other origins, and some would send the key there.
    redirect: 'manual',
    signal,
  };
  let url = service.url + target;
  for (let redirects = 0; ; redirects++) {
    const { answer, isOpaqueRedirect } = await fetchOnce(service, url, init, signal);
    if (isOpaqueRedirect) throw new RemoteStoreError(answer, 'a redirect, whose target browsers hide');
    const { status } = answer;
    const isFollowed = REDIRECTS.has(status) || (method === 'GET' && REDIRECTS_OF_GET.has(status));
    if (!isFollowed) return answer;
    if (redirects === MAX_REDIRECTS) throw new RemoteStoreError(answer, 'more redirects than are followed');
    url = redirectTarget(answer, url);
  }
}

/** The address that an answer redirects to, if it has the same origin. */
function redirectTarget(answer: RemoteAnswer, from: string): string {
  const location = answer.headers.get('location');
  if (location === null || !URL.canParse(location, from))
    throw new RemoteStoreError(answer, 'a redirect without a valid target');
  const to = new URL(location, from);
  if (to.origin !== new URL(from).origin || to.username !== '' || to.password !== '') {
    throw new RemoteStoreError(answer, 'a redirect to another origin');
  }
  return to.href;
}

/** Sends a request to one address, and reads its answer. */
async function fetchOnce(
  { fetch, apiKey }: CheckedService,
  url: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<{ readonly answer: RemoteAnswer; readonly isOpaqueRedirect: boolean }> {
  let details: Omit<RemoteAnswer, 'text'> | undefined;
  try {
    const response = await fetch(url, init);
    const { status, headers, type } = response;
    details = { status, headers, requestId: asRequestId(headers.get('x-request-id'), apiKey) };
    return {
      answer: { ...details, text: await readText(response, signal) },
      isOpaqueRedirect: type === 'opaqueredirect',
    };
  } catch (error) {
    if (error instanceof BodyError && details !== undefined) throw new RemoteStoreError(details, error.message);
    throw new NoAnswerError('the connection failed', { cause: withoutKey(error, apiKey) });
  }
}

/** The error for an answer that refuses the request, with the code of its body. */
export function refusalOf(answer: RemoteAnswer, apiKey: string, reason?: string): RemoteStoreError {
  return new RemoteStoreError({ ...answer, code: codeOf(answer.text, apiKey) }, reason);
}

/** The `code` of an `Error` of the interface; `undefined` for any other text. */
function codeOf(text: string, apiKey: string): string | undefined {
  try {
    const error = parseJson(text);
    if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
    return asCode(error.code, apiKey);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}
