import { JsonError, parseJson } from '../../lossless-json/parse-json.js';
import type { CheckedOptions, FetchResponse } from './remote-options.js';
import { RemoteStoreError } from './remote-store-error.js';

/** 2 MiB: 1.25 MB for 100 animals with the longest names, each character escaped; the rest for white space and later members. */
const RESPONSE_MAX_BYTES = 2 ** 21;

/** Of a code and of a request id. Errors leave out anything else. */
const TOKEN = /^[A-Za-z0-9._-]{1,128}$/;

export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base address: `/pets?limit=1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RemoteResponse {
  readonly status: number;
  readonly headers: FetchResponse['headers'];
  readonly text: string;
  readonly requestId: string | undefined;
}

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

/** A response began, but its body could not be read: the connection broke, or `fetch` cannot read bodies. The `cause` says why. */
export class UnreadableBodyError extends RemoteStoreError {}

/** Follows no redirects, because some implementations of `fetch` would send the key to another origin. */
export async function sendRequest(
  { url, apiKey, fetch }: CheckedOptions,
  { method, target, headers, body }: RemoteRequest,
  signal: AbortSignal,
): Promise<RemoteResponse> {
  const sent = fetch(url + target, {
    method,
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...headers },
    ...(body !== undefined && { body }),
    // `error` would work too, but workerd rejects it.
    redirect: 'manual',
    signal,
  });
  const response = await sent.catch((error: unknown) => {
    throw new NoResponseError('the connection failed', { cause: error });
  });
  const { status, headers: received, bodyUsed } = response;
  const details = { status, headers: received, requestId: asToken(received.get('x-request-id')) };
  const tooLarge = `its body is larger than ${RESPONSE_MAX_BYTES} bytes`;
  if (Number(received.get('content-length')) > RESPONSE_MAX_BYTES) throw new RemoteStoreError(details, tooLarge);
  if (bodyUsed === true) throw new RemoteStoreError(details, 'fetch has read its body already');
  const chunks = chunksOf(response.body);
  const text = await (chunks === undefined ? response.text() : textOf(chunks)).catch((error: unknown) => {
    throw new UnreadableBodyError(details, 'its body cannot be read', { cause: error });
  });
  if (text === undefined) throw new RemoteStoreError(details, tooLarge);
  return { ...details, text };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > RESPONSE_MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** `undefined` if the body is no stream. Not every browser can iterate over a `ReadableStream`. */
function chunksOf(body: unknown): AsyncIterable<Uint8Array> | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('getReader' in body) return chunksOfReader((body as ReadableStream<Uint8Array>).getReader());
  return Symbol.asyncIterator in body ? (body as AsyncIterable<Uint8Array>) : undefined;
}

async function* chunksOfReader(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

export function responseError(response: RemoteResponse, reason?: string): RemoteStoreError {
  const { status, text } = response;
  // A browser reports a redirect as status 0.
  const isRedirect = status === 0 || (status >= 300 && status <= 399);
  const redirected = isRedirect ? 'a redirect, which is not followed: set url to the final address' : undefined;
  return new RemoteStoreError({ ...response, code: codeOf(text) }, reason ?? redirected);
}

function codeOf(text: string): string | undefined {
  try {
    const error = parseJson(text);
    return typeof error === 'object' && error !== null && 'code' in error ? asToken(error.code) : undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

function asToken(value: unknown): string | undefined {
  return typeof value === 'string' && TOKEN.test(value) ? value : undefined;
}
