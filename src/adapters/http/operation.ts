import type { Principal } from '../../domain/api-keys/api-keys.js';
import type { HttpAnswer, OperationAnswer } from './answer.js';
import type { HttpRequest } from './request.js';

/** An operation as data: where it is, what it does, and how the OpenAPI document describes it. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** The path, in which a last segment `:name` is a parameter: below the base path if the operation has a description. */
  readonly path: string;
  readonly handle: Handler;
  /** The Operation Object of OpenAPI 3.1, for the operations of the interface. */
  readonly description?: object;
  /** For operations under the base path. @default none */
  readonly addHeaders?: HeaderAdder;
}

/** Answers a request, or throws an error that `failureAnswer` turns into an answer. */
export type Handler = (exchange: Exchange) => OperationAnswer | Promise<OperationAnswer>;

/**
 * Decides whether a request goes on to its handler. Resolves to the answer that refuses it, or to `undefined`; throws as a
 * handler does.
 */
export type Guard = (exchange: Exchange) => Promise<OperationAnswer | undefined>;

/** One request on its way through the interface. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** Whom the API key belongs to; `undefined` until the request is authenticated. */
  principal: Principal | undefined;
}

/** Adds header fields, names and values in turn, to those of an answer. It is called for failures too. */
export type HeaderAdder = (headers: string[], request: HttpRequest, status: number) => void;

/** Answers a request; never rejects. */
export type Answering = (request: HttpRequest) => Promise<HttpAnswer>;
