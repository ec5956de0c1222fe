import type { ReceivedResponse, Header } from './received-response.js';
import { onConnection } from './raw-connection.js';

/** The parts of a request other than its method and target. */
export interface RequestOptions {
  /** An API key, sent as a bearer token. */
  readonly key?: string;
  /** The value of `Authorization`, or `null` for none. @default the key as a bearer token */
  readonly authorization?: string | null;
  /** Further headers, sent unchanged, in this order. */
  readonly headers?: readonly Header[];
  /** The body, sent with its `Content-Length`. A string is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  /** The value of `Content-Type`, or `null` for none. @default `application/json` if there is a body */
  readonly contentType?: string | null;
  /** Whether to send the body in chunks, without a `Content-Length`. @default false */
  readonly chunked?: boolean;
  /** The value of `Host`. @default `127.0.0.1` */
  readonly host?: string;
}

const CHUNK_LENGTH = 16_000;

/** The bytes of a request. The target is sent unchanged. */
export function requestBytes(method: string, target: string, options: RequestOptions = {}): Buffer {
  const { key, headers = [], chunked = false, host = '127.0.0.1' } = options;
  const { authorization = key === undefined ? null : `Bearer ${key}` } = options;
  const { contentType = options.body === undefined ? null : 'application/json' } = options;
  const body = options.body === undefined ? undefined : Buffer.from(options.body);
  const lines: Header[] = [['Host', host]];
  if (authorization !== null) lines.push(['Authorization', authorization]);
  if (contentType !== null) lines.push(['Content-Type', contentType]);
  if (body) lines.push(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]);
  const head = [...lines, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    chunked && body ? inChunks(body) : (body ?? Buffer.alloc(0)),
  ]);
}

/**
 * Sends one request on a connection of its own to a port of 127.0.0.1, and resolves to its response. Rejects if the server
 * sends anything beyond it.
 */
export async function request(
  port: number,
  method: string,
  target: string,
  options?: RequestOptions,
): Promise<ReceivedResponse> {
  return exchange('127.0.0.1', port, method, target, options);
}

/** As {@link request}, to a URL: a POST if there is a body, otherwise a GET. */
export async function send(url: string | URL, options: RequestOptions = {}): Promise<ReceivedResponse> {
  const { hostname, port, pathname, search } = new URL(url);
  const method = options.body === undefined ? 'GET' : 'POST';
  return exchange(hostname.replace(/^\[|\]$/g, ''), Number(port), method, pathname + search, options);
}

async function exchange(
  address: string,
  port: number,
  method: string,
  target: string,
  { headers = [], host = `${address}:${port}`, ...options }: RequestOptions = {},
): Promise<ReceivedResponse> {
  const bytes = requestBytes(method, target, { ...options, host, headers: [...headers, ['Connection', 'close']] });
  return onConnection(port, async (connection) => connection.askLast(bytes, { head: method === 'HEAD' }), address);
}

function inChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_LENGTH) {
    const chunk = body.subarray(at, at + CHUNK_LENGTH);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
