import { JsonError, parseJson } from '../../json/parse-json.js';
import type { CheckedService, FetchResponse } from './remote-options.js';
import { asCode, asRequestId, RemoteStoreError } from './remote-store-error.js';

/**
 * The maximum `Content-Length` of a response: 2 MiB. A list of 100 animals, with the longest names and each character escaped,
 * takes less than 1.25 MB. The rest is for white space, and for members that later versions may add.
 */
const RESPONSE_MAX_BYTES = 2 ** 21;

/** A request from the catalogue. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  /** The path and the query, below the base address: `/pets?limit=1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response of the service, read completely. */
export interface RemoteResponse {
  readonly status: number;
  readonly headers: FetchResponse['headers'];
  readonly text: string;
  readonly requestId: string | undefined;
}

/** The connection failed, or ended before the response was whole. The `cause` says why. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/**
 * Sends a request once, with the API key, and reads the response. Does not follow redirects, because some implementations of
 * `fetch` would send the key to another origin.
 *
 * Rejects with a {@link NoResponseError}; with a {@link RemoteStoreError} for a response whose body is too large or was read by
 * `fetch`; with a `TypeError` if `fetch` does not return a response.
 */
export async function sendRequest(
  { url, apiKey, fetch }: CheckedService,
  { method, target, headers, body }: RemoteRequest,
  signal: AbortSignal,
): Promise<RemoteResponse> {
  const response = await orNoResponse(
    fetch(url + target, {
      method,
      headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...headers },
      ...(body !== undefined && { body }),
      // `error` would work too, but workerd rejects it.
      redirect: 'manual',
      signal,
    }),
  );
  const { status, headers: received, bodyUsed } = response;
  const details = { status, headers: received, requestId: asRequestId(received.get('x-request-id')) };
  if (Number(received.get('content-length')) > RESPONSE_MAX_BYTES) {
    throw new RemoteStoreError(details, `its body is larger than ${RESPONSE_MAX_BYTES} bytes`);
  }
  if (bodyUsed === true) throw new RemoteStoreError(details, 'fetch has read its body already');
  return { ...details, text: await orNoResponse(response.text()) };
}

async function orNoResponse<T>(receiving: Promise<T>): Promise<T> {
  try {
    return await receiving;
  } catch (error) {
    throw new NoResponseError('the connection failed', { cause: error });
  }
}

/** The error for a response that refuses the request, with the code of its body. */
export function responseError(response: RemoteResponse, reason?: string): RemoteStoreError {
  const { status, text } = response;
  // A browser reports a redirect as status 0.
  const isRedirect = status === 0 || (status >= 300 && status <= 399);
  const redirected = isRedirect ? 'a redirect, which is not followed: set url to the final address' : undefined;
  return new RemoteStoreError({ ...response, code: codeOf(text) }, reason ?? redirected);
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
