import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../request.js';
import { mountPathOf, type Target } from '../target.js';
import { connectionSignal } from './connection-signal.js';
import { readBody } from './read-body.js';

/** Node's request, with the member that an Express application around the interface adds. */
export type ExpressRequest = IncomingMessage & { readonly originalUrl?: string };

/** The request of Node, with its target split. */
export class NodeRequest implements HttpRequest {
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly #request: ExpressRequest;

  constructor(request: IncomingMessage, { path, query }: Target) {
    this.#request = request;
    this.path = path;
    this.query = query;
    this.rawHeaders = rawHeadersOf(request);
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get remoteAddress(): string | undefined {
    const { socket } = this.#request as Partial<IncomingMessage>;
    return socket?.remoteAddress;
  }

  get signal(): AbortSignal | undefined {
    return connectionSignal(this.#request.socket);
  }

  /** The path that an Express application around the interface has removed from the start of the request's path. */
  get mountPath(): string {
    const { originalUrl, url } = this.#request;
    return originalUrl === undefined || originalUrl === url ? '' : mountPathOf(originalUrl, this.path);
  }

  readBody(limit: number): Promise<Uint8Array> {
    return readBody(this.#request, limit);
  }
}

/**
 * The header fields of a request in the order of arrival. A request that a library injects (serverless-http, a test) may
 * have its fields in `headers` alone.
 */
export function rawHeadersOf(request: IncomingMessage): readonly string[] {
  const { rawHeaders = [], headers = {} } = request as Partial<IncomingMessage>;
  if (rawHeaders.length > 0) return rawHeaders;
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().flatMap((each) => [name, String(each)]),
  );
}
