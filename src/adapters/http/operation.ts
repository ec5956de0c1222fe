import type { Principal } from '../../domain/api-keys.js';
import type { HttpAnswer } from './answer.js';
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
  readonly addedHeaders?: AddedHeaders;
}

/** Answers a request, or throws an error that `failureAnswer` turns into an answer. */
export type Handler = (exchange: Exchange) => HttpAnswer | Promise<HttpAnswer>;

/** One request on its way through the interface. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** Whom the API key belongs to; set once the request is authenticated. */
  principal?: Principal;
}

/** The header fields, names and values in turn, that are added to each answer of an operation, failures included. */
export type AddedHeaders = (request: HttpRequest, status: number) => readonly string[];

/** Answers a request; never rejects. */
export type Answering = (request: HttpRequest) => Promise<HttpAnswer>;
