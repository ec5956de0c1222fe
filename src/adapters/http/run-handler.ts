import { bodyLength, completeHeaders, type HttpAnswer, type OperationAnswer } from './answer.js';
import type { ErrorCode, Limit } from './errors.js';
import { failureAnswer } from './failure-answer.js';
import type { Log } from './log.js';
import type { RequestContext, Guard, Handler, HeaderAdder } from './operation.js';
import { clientAddressOf, type ProxyTrust } from './proxy-trust.js';
import { requestIdOf, type HttpRequest } from './request.js';

/** An answered request, for a log and for metrics. Contains no secrets: no key, query value or body. */
export interface ResponseLog {
  readonly requestId: string;
  readonly method: string;
  /** The template of the route's path, such as `/v1/pets/:petId`; `undefined` if the request matched no route. */
  readonly route: string | undefined;
  /** The HTTP status of the answer; 499 if the client left before a read had its result. */
  readonly status: number;
  /** The `code` of the answer's `Error` body; `undefined` if it has none. */
  readonly code: ErrorCode | undefined;
  /**
   * The limit that the request exceeded; `undefined` if it exceeded none, or if the HTTP server has already reported the
   * refusal.
   */
  readonly limit: Limit | undefined;
  /** The time from the arrival of the header section until the answer was ready to be sent, in milliseconds. */
  readonly durationMs: number;
  /** The size of the answer's body in bytes; 0 for a `HEAD`. */
  readonly bytes: number;
  /**
   * The address of the client, as `trustProxy` finds it; without that option, the address that the connection comes from.
   * `undefined` if the transport does not know it.
   */
  readonly clientAddress: string | undefined;
  /** The name that the API key was issued to; `undefined` if the request presented no valid key, or needed none. */
  readonly keyName: string | undefined;
}

/** Everything that runs around the handler of a route. */
interface RouteOptions {
  /** A request must pass these, in this order, before it reaches the handler. */
  readonly guards: readonly Guard[];
  /** These add the header fields of the route's answers to those of every answer, in this order. */
  readonly headerAdders: readonly HeaderAdder[];
  /** The template of the route's path; `undefined` for requests that match no route. */
  readonly route: string | undefined;
  /** Logs internal errors, and requests for which the store did not answer in time. */
  readonly log: Log;
  /** Called for each request when its answer is ready. */
  readonly onResponse: ((answered: ResponseLog) => void) | undefined;
  readonly trustProxy: ProxyTrust | undefined;
}

/** A copy of the global, whose getter in Node costs nearly as much as reading the clock. */
const clock = performance;

/**
 * Runs the guards and the handler of a route for a request: gives the request its id, turns an error into an answer, adds
 * header fields, and reports. Never rejects.
 */
export async function runHandler(
  request: HttpRequest,
  handle: Handler,
  { guards, headerAdders, route, log, onResponse, trustProxy }: RouteOptions,
): Promise<HttpAnswer> {
  const start = onResponse === undefined ? 0 : clock.now();
  const requestId = requestIdOf(request.rawHeaders);
  const context: RequestContext = { request, principal: undefined };
  let answer: OperationAnswer | undefined;
  try {
    for (const guard of guards) answer ??= await guard(context);
    answer ??= await handle(context);
  } catch (error) {
    if (hasLeft(request, error)) answer = CLIENT_LEFT;
    else {
      answer = failureAnswer(error);
      report(log, requestId, answer, error);
    }
  }

  const { status, code, limit, body } = answer;
  const length = bodyLength(answer);
  onResponse?.({
    requestId,
    method: request.method,
    route,
    status,
    code,
    limit,
    durationMs: clock.now() - start,
    bytes: request.method === 'HEAD' ? 0 : length,
    clientAddress: clientAddressOf(request, trustProxy),
    keyName: context.principal?.name,
  });
  const headers = completeHeaders(answer, length, requestId);
  for (const addHeaders of headerAdders) addHeaders(headers, request, status);
  return { status, headers, body };
}

/** The answer for a client that has left. No one receives it, but logs and metrics show its status, as those of nginx do. */
const CLIENT_LEFT: OperationAnswer = { status: 499, headers: [], body: '' };

/** Whether a handler failed because its client has left. */
function hasLeft({ signal }: HttpRequest, error: unknown): boolean {
  return signal?.aborted === true && error === signal.reason;
}

function report(log: Log, requestId: string, { status, code }: OperationAnswer, err: unknown): void {
  if (code === 'store_unavailable') log.warn({ requestId, cause: causeOf(err) }, 'the store did not answer in time');
  else if (status >= 500 && code !== 'overloaded') log.error({ requestId, err }, 'a request failed');
}

/** Returns one line. An outage logs many of these, and a stack would add nothing. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}
