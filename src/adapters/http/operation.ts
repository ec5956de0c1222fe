import type { Principal } from '../../domain/api-keys.js';
import { failureAnswer, withCommonHeaders, type HttpAnswer } from './answer.js';
import type { Log } from './log.js';
import { requestIdOf, type HttpRequest } from './request.js';

/** An operation as data: where it is, what it does, and how the OpenAPI document describes it. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** The path, in which a last segment `:name` is a parameter: below the base path if the operation has a description. */
  readonly path: string;
  readonly handle: Handler;
  /** The Operation Object of OpenAPI 3.1, for the operations of the interface. */
  readonly description?: object;
  /** @default none */
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

/** The header fields, names and values in turn, that an operation adds to each of its answers, failures included. */
export type AddedHeaders = (request: HttpRequest, status: number) => readonly string[];

/** Answers a request; never rejects. */
export type Answering = (request: HttpRequest) => Promise<HttpAnswer>;

const NO_HEADERS = () => [];

/** Runs a handler: gives the request its id, turns a failure into an answer, adds the common header fields, and logs. */
export function answering(log: Log, handle: Handler, addedHeaders: AddedHeaders = NO_HEADERS): Answering {
  return async (request) => {
    const requestId = requestIdOf(request.rawHeaders);
    const exchange: Exchange = { request, requestId };
    let answer: HttpAnswer;
    try {
      answer = await handle(exchange);
    } catch (error) {
      answer = failureAnswer(error);
      report(log, requestId, answer.status, error);
    }
    const { method, path } = request;
    const { status } = answer;
    log.debug({ requestId, method, path, status, principal: exchange.principal?.name }, 'answered');
    return withCommonHeaders(answer, requestId, addedHeaders(request, status));
  };
}

function report(log: Log, requestId: string, status: number, err: unknown): void {
  if (status === 503) log.warn({ requestId, cause: causeOf(err) }, 'the store did not answer in time');
  else if (status >= 500) log.error({ requestId, err }, 'a request failed');
}

/** One line: an outage logs many of these, and a stack adds nothing. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}
