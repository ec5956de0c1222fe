import type { ServerResponse } from 'node:http';
import Koa, { type Middleware } from 'koa';
import { isAnimalStoreError } from '../../domain/errors.js';
import { CODE_OF, ERROR_STATUS, HttpError, type ErrorCode } from './errors.js';
import type { Log } from './log.js';
import { requestIdOf, type Context, type State } from './request.js';

type Headers = Readonly<Record<string, string>>;

/** All of an answer but what every answer has in common. */
export interface Answer {
  readonly status: number;
  /** Header fields beyond `Content-Type` and those that {@link headersOf} adds. */
  readonly headers: Headers;
  readonly body: string | Buffer;
  /** @default application/json; charset=utf-8 */
  readonly contentType?: string;
}

/** An answer with a body of JSON text. */
export function jsonAnswer(status: number, body: string, headers: Headers = {}): Answer {
  return { status, headers, body };
}

/** The answer with an `Error` body: exactly `code`, `message` and `status`. */
export function errorAnswer(code: ErrorCode, message: string, headers: Headers = {}): Answer {
  const status = ERROR_STATUS[code];
  return jsonAnswer(status, JSON.stringify({ code, message, status }), headers);
}

/** The answer to a request that failed. What nobody foresaw is an `internal_error`, and says no more than that. */
export function answerTo(error: unknown): Answer {
  if (error instanceof HttpError) return errorAnswer(error.code, error.message, error.headers);
  if (!isAnimalStoreError(error)) return errorAnswer('internal_error', 'the service failed; the fault is not yours');
  if (error.code === 'store_unavailable') {
    return errorAnswer('store_unavailable', 'the store did not answer in time; try again later', {
      'Retry-After': '1',
    });
  }
  return errorAnswer(CODE_OF[error.code], error.message);
}

/** The header fields of an answer, in full. */
export function headersOf({ headers, body, contentType }: Answer, requestId: string): Record<string, string | number> {
  return {
    'Content-Type': contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...headers,
  };
}

/** What answers a request; it may throw what {@link answerTo} has an answer to. */
export type Operation = (ctx: Context) => Answer | Promise<Answer>;

/**
 * The middleware that ends a request with an operation's answer, or with the answer to what it threw. It writes to Node's
 * response directly: middleware around it still sees the status, but can no longer change the answer.
 *
 * @param announce Adds to the answer, whichever it is.
 */
export function answering(
  log: Log,
  operation: Operation,
  announce: (ctx: Context, answer: Answer) => Answer = (_ctx, answer) => answer,
): Middleware<State> {
  return async (ctx) => {
    const { state } = ctx;
    state.requestId = requestIdOf(ctx.req);
    try {
      reply(ctx, announce(ctx, await operation(ctx)));
    } catch (error) {
      const answer = answerTo(error);
      report(log, state, answer, error);
      reply(ctx, announce(ctx, answer));
    }
    const { method, path, status } = ctx;
    log.debug({ requestId: state.requestId, method, path, status, principal: state.principal?.name }, 'answered');
  };
}

/**
 * The Koa application of middleware that ends each request by {@link answering}: without what Koa does for a `ctx.body`, and
 * without its listener for the end of each response, which takes a good part of the time of a request. A connection that
 * breaks is not logged.
 */
export class AnsweringApp extends Koa<State> {
  /** What Koa's handler calls for each request; it stands in neither its documents nor its types. */
  async handleRequest(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
    try {
      await run(ctx);
      if (ctx.respond !== false) throw new TypeError('the middleware of this application must answer by itself');
    } catch (error) {
      ctx.onerror(error as Error);
    }
  }
}

function report(log: Log, { requestId }: State, { status }: Answer, err: unknown): void {
  if (status === 503) log.warn({ requestId, cause: causeOf(err) }, 'the store did not answer in time');
  else if (status >= 500) log.error({ requestId, err }, 'a request failed');
}

/** In one line, as an outage has many: a stack says nothing new of it. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}

function reply(ctx: Context, answer: Answer): void {
  const { res, state } = ctx;
  ctx.respond = false;
  if (res.headersSent) return;
  res.writeHead(answer.status, headersOf(answer, state.requestId));
  endAfterRequest(res, answer.body);
}

/**
 * Sends the body of an answer at once, but lets the request arrive whole before the exchange ends: a connection that is
 * closed on a client which is still sending is reset, and the answer lost. The server's time-out bounds it.
 */
export function endAfterRequest(response: ServerResponse, body: Answer['body']): void {
  if (response.req.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  response.req.once('close', () => response.end()).resume();
}
