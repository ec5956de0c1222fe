import type { RunningCommand } from '../support/command.js';
import type { Answer, Header } from './answer.js';
import { onConnection } from './raw-client.js';

/** A running service, as the suite knows it. */
export interface Service {
  readonly port: number;
  /** The path under which the operations are, without a slash at its end: `/v1`. */
  readonly basePath: string;
  /** A key that it accepts. */
  readonly key: string;
  /** All that it has logged so far. */
  readonly log: string;
  /** Ends it. */
  readonly stop: () => Promise<unknown>;
}

/** A run of the command, as the suite knows it. */
export function serviceOf(command: RunningCommand, key: string): Service {
  return {
    port: command.port,
    basePath: new URL(command.url).pathname,
    key,
    get log() {
      return command.stderr;
    },
    stop: async () => command.stop(),
  };
}

/** Gives the service that the tests declared with it use; it runs from the first test on. */
export type GetService = () => Service;

/** What a request carries besides its method and target. */
export interface RequestOptions {
  /** The value of `Authorization`, or `null` for none. @default the service's key as a bearer token */
  readonly authorization?: string | null;
  /** Further headers, sent as they are, in this order. */
  readonly headers?: readonly Header[];
  /** The body, sent with its `Content-Length`. */
  readonly body?: string | Uint8Array;
  /** The value of `Content-Type`, or `null` for none. @default `application/json` where there is a body */
  readonly contentType?: string | null;
  /** Whether the body is sent in chunks, without a `Content-Length`. @default false */
  readonly chunked?: boolean;
}

/** The bytes of a request. The target is sent as it is; in a string of a body each character is encoded as UTF-8. */
export function requestBytes(service: Service, method: string, target: string, options: RequestOptions = {}): Buffer {
  const { authorization = `Bearer ${service.key}`, headers = [], chunked = false } = options;
  const { contentType = options.body === undefined ? null : 'application/json' } = options;
  const body = options.body === undefined ? undefined : Buffer.from(options.body);
  const lines: Header[] = [['Host', `127.0.0.1:${service.port}`]];
  if (authorization !== null) lines.push(['Authorization', authorization]);
  if (contentType !== null) lines.push(['Content-Type', contentType]);
  if (body) lines.push(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]);
  const head = [...lines, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    chunked && body ? inChunks(body) : (body ?? Buffer.alloc(0)),
  ]);
}

/** Sends one request on a connection of its own and resolves to its answer, beyond which the server must send nothing. */
export async function request(
  service: Service,
  method: string,
  target: string,
  { headers = [], ...options }: RequestOptions = {},
): Promise<Answer> {
  return onConnection(service.port, async (connection) => {
    const closing: RequestOptions = { ...options, headers: [...headers, ['Connection', 'close']] };
    connection.send(requestBytes(service, method, target, closing));
    const answer = await connection.receive({ head: method === 'HEAD' });
    const surplus = await connection.finished();
    if (surplus !== '') throw new Error(`More than the answer came: ${surplus}`);
    return answer;
  });
}

/** GETs what is at this path under the base path. */
export async function get(service: Service, path: string, options?: RequestOptions): Promise<Answer> {
  return request(service, 'GET', service.basePath + path, options);
}

/** POSTs this JSON text to the collection of animals. */
export async function post(service: Service, body: string | Uint8Array, options?: RequestOptions): Promise<Answer> {
  return request(service, 'POST', `${service.basePath}/pets`, { body, ...options });
}

function inChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += 16_000) {
    const chunk = body.subarray(at, at + 16_000);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
