import type { Principal } from '../../domain/api-keys/api-keys.js';
import type { HttpAnswer, OperationAnswer } from './answer.js';
import type { HttpRequest } from './request.js';

/** An operation as data: its method and path, its handler, and its description in the OpenAPI document. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** The path, relative to the base path if the operation has a description. A last segment `:name` is a parameter. */
  readonly path: string;
  readonly handle: Handler;
  /** Only for the operations that the OpenAPI document lists. */
  readonly description?: OperationDescription;
  /** For operations under the base path. @default none */
  readonly addHeaders?: HeaderAdder;
}

/** An Operation Object of OpenAPI 3.1, with the members that the operations use. */
export interface OperationDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly deprecated?: boolean;
  /** The day on which a deprecated operation is removed: `2030-12-05`. Tools that detect breaking changes read it. */
  readonly 'x-sunset'?: string;
  readonly parameters?: readonly ParameterDescription[];
  readonly requestBody?: object;
  /** By HTTP status. */
  readonly responses: Responses;
}

/** A Parameter Object. */
export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: object;
  readonly description: string;
}

/** A Responses Object: Response Objects by HTTP status. */
export type Responses = Readonly<Record<number, ResponseDescription>>;

/** A Response Object. */
export interface ResponseDescription {
  readonly description: string;
  /** The header fields that the answer may carry, by name. */
  readonly headers?: Readonly<Record<string, object>>;
  readonly content: object;
}

/** Answers a request, or throws an error that `failureAnswer` turns into an answer. */
export type Handler = (context: RequestContext) => OperationAnswer | Promise<OperationAnswer>;

/**
 * Decides whether a request reaches its handler. Resolves to `undefined` if so, otherwise to the answer that refuses the
 * request. May throw the same errors as a handler.
 */
export type Guard = (context: RequestContext) => Promise<OperationAnswer | undefined>;

/** A request while the interface processes it. */
export interface RequestContext {
  readonly request: HttpRequest;
  /** The owner of the API key; `undefined` until the request is authenticated. */
  principal: Principal | undefined;
}

/** Adds header fields, names and values alternating, to those of an answer. Called for errors too. */
export type HeaderAdder = (headers: string[], request: HttpRequest, status: number) => void;

/** Answers a request; never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpAnswer>;
