import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../request.js';
import { mountPathOf, type Target } from '../target.js';
import { readBody } from './read-body.js';

/** Node's request, with the member that an Express application around the interface adds. */
export type ExpressRequest = IncomingMessage & { readonly originalUrl?: string };

/** Node's request, with its target split. */
export class NodeRequest implements HttpRequest {
  readonly path: string;
  readonly query: string;
  readonly #request: ExpressRequest;

  constructor(request: IncomingMessage, { path, query }: Target) {
    this.#request = request;
    this.path = path;
    this.query = query;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get clientAddress(): string | undefined {
    return this.#request.socket.remoteAddress;
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
