import { JsonError, parseJson } from '../../json/parse-json.js';
import { BodyError, readText } from './read-text.js';
import type { CheckedService } from './remote-options.js';
import { asCode, asRequestId, RemoteStoreError } from './remote-store-error.js';

/** A request from the catalogue. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  /** The path and the query, below the base address: `/pets?limit=1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer of the service, read completely. */
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
 * Sends a request once, with the API key, and reads the answer. Does not follow redirects, because some implementations of
 * `fetch` would send the key to another origin.
 *
 * Rejects with a {@link NoAnswerError}, and with a {@link RemoteStoreError} for an answer whose body is too large or not UTF-8.
 */
export async function exchange(
  { url, apiKey, fetch }: CheckedService,
  { method, target, headers, body }: RemoteRequest,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  let details: Omit<RemoteAnswer, 'text'> | undefined;
  try {
    const response = await fetch(url + target, {
      method,
      headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...headers },
      ...(body !== undefined && { body }),
      // `error` would work too, but workerd rejects it.
      redirect: 'manual',
      signal,
    });
    const { status, headers: received } = response;
    details = { status, headers: received, requestId: asRequestId(received.get('x-request-id')) };
    return { ...details, text: await readText(response, signal) };
  } catch (error) {
    if (error instanceof BodyError && details !== undefined) throw new RemoteStoreError(details, error.message);
    throw new NoAnswerError('the connection failed', { cause: error });
  }
}

/** The error for an answer that refuses the request, with the code of its body. */
export function refusalOf(answer: RemoteAnswer, reason?: string): RemoteStoreError {
  const { status, text } = answer;
  // A browser reports a redirect as status 0.
  const isRedirect = status === 0 || (status >= 300 && status <= 399);
  const redirected = isRedirect ? 'a redirect, which is not followed: set url to the final address' : undefined;
  return new RemoteStoreError({ ...answer, code: codeOf(text) }, reason ?? redirected);
}

/** The `code` of an `Error` of the interface; `undefined` for any other text. */
function codeOf(text: string): string | undefined {
  try {
    const error = parseJson(text);
    return typeof error === 'object' && error !== null && 'code' in error ? asCode(error.code) : undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}
