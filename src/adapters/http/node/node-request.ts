import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from '../pipeline/http-request.js';
import { mountPathOf } from '../pipeline/target.js';
import { readBody } from './read-body.js';

/** With the member that an Express application around the interface adds. */
export type ExpressRequest = IncomingMessage & { readonly originalUrl?: string };

export class NodeRequest implements HttpRequest {
  readonly rawHeaders: readonly string[];
  readonly #request: ExpressRequest;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.rawHeaders = rawHeadersOf(request);
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get target(): string {
    return this.#request.url ?? '';
  }

  get remoteAddress(): string | undefined {
    const { socket } = this.#request as Partial<IncomingMessage>;
    return socket?.remoteAddress;
  }

  get signal(): AbortSignal | undefined {
    return connectionSignal(this.#request.socket);
  }

  get mountPath(): string {
    return mountPathOf(this.#request.originalUrl ?? this.target, this.target);
  }

  readBody(limit: number): Promise<Uint8Array> {
    return readBody(this.#request, limit);
  }
}

/** A request that a library injects (serverless-http, a test) may have its fields in `headers` alone. */
export function rawHeadersOf(request: IncomingMessage): readonly string[] {
  const { rawHeaders = [], headers = {} } = request as Partial<IncomingMessage>;
  if (rawHeaders.length > 0) return rawHeaders;
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().flatMap((each) => [name, String(each)]),
  );
}

const signals = new WeakMap<object, AbortSignal>();

/** Aborted when the connection closes; its requests share it. An injected request has no whole socket, and so no signal. */
export function connectionSignal(socket: Partial<Socket> | null | undefined): AbortSignal | undefined {
  if (typeof socket?.once !== 'function') return undefined;
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const { signal } = controller;
  // Node 20 would warn of a leak if a client pipelines many requests on Node's own server.
  setMaxListeners(0, signal);
  signals.set(socket, signal);
  if (socket.destroyed === true) controller.abort();
  else socket.once('close', () => controller.abort());
  return signal;
}
