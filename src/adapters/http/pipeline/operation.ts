import type { Principal } from '../../../domain/api-keys/api-keys.js';
import type { HttpRequest } from './http-request.js';
import type { OperationResponse } from './http-response.js';

export interface Operation {
  readonly method: 'GET' | 'POST';
  /** The path, relative to the base path if the operation needs a key. A last segment `:name` is a parameter. */
  readonly path: string;
  readonly handle: Handler;
  /** Whether its requests have a body, which is JSON. @default false */
  readonly hasBody?: boolean;
  /** Adds header fields, names and values in turn, to those of a response. Called for errors too. @default none */
  readonly addHeaders?: (headers: string[], request: HttpRequest, status: number) => void;
}

export type Handler = (context: RequestContext) => OperationResponse | Promise<OperationResponse>;

export type Guard = (context: RequestContext) => Promise<void>;

export interface RequestContext {
  readonly request: HttpRequest;
  /** Below the mount path, as sent, not decoded. It starts with `/`, or is `*`. */
  readonly path: string;
  /** As sent, without its question mark; empty if there is none. */
  readonly query: string;
  /** `undefined` until the request is authenticated. */
  principal: Principal | undefined;
  /** As sent; empty until it is read, and if the operation has none. */
  body: Uint8Array;
}
