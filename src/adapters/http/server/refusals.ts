import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyLength, completeHeaders, httpErrorAnswer, type HttpAnswer } from '../answer.js';
import { ERROR_STATUS, HttpError, type ErrorCode, type Limit } from '../errors.js';
import { requestIdOf } from '../request.js';
import { LINGER_MS, type Connection } from './connection.js';
import { RefusalError } from './refusal-errors.js';
import { send } from '../node/send.js';

/** A request or a connection that the server itself has refused or ended. */
export interface Refusal {
  /** The HTTP status of the answer; if the connection was cut without one, the status that fits the reason best. */
  readonly status: number;
  /** The `code` that goes with the status. */
  readonly code: ErrorCode;
  /** The limit that was exceeded; `undefined` for a request that is not well-formed HTTP. */
  readonly limit: Limit | undefined;
  /** The `message` of the answer. It holds nothing that the client sent. */
  readonly reason: string;
  /** The IP address of the client; `undefined` if the connection is closed already. */
  readonly clientAddress: string | undefined;
  /** The `X-Request-Id` of the answer; `undefined` if none could be sent. */
  readonly requestId: string | undefined;
}

/** Called for each refusal. A client that leaves within its request is not refused, though it gets a 400 if it still reads. */
export type OnRefused = (refusal: Refusal) => void;

/** Answers a request with an error, and closes its connection once the request has arrived whole. */
export function answerWithError(response: ServerResponse, error: unknown): void {
  send(response.req, response, closingAnswer(error, requestIdOf(response.req.rawHeaders)));
}

/** Answers what the server refuses, closes the connection, and reports the refusal. */
export class Refusals {
  readonly #onRefused: OnRefused | undefined;

  constructor(onRefused: OnRefused | undefined) {
    this.#onRefused = onRefused;
  }

  /** Refuses a request, once all requests before it have been answered. Requests behind it are not run. */
  request(connection: Connection, { method, rawHeaders }: IncomingMessage, error: RefusalError): void {
    connection.isClosing = true;
    connection.inTurn(() => this.hangUp(connection, error, requestIdOf(rawHeaders), method === 'HEAD'));
  }

  /**
   * Refuses bytes that are not a request, or a request that does not arrive, and closes the connection. Whole requests that
   * came before are answered first. A request that has been answered gets no second answer.
   */
  unreadable(connection: Connection, error: HttpError): void {
    if (connection.isUnreadable) return;
    connection.isUnreadable = true;
    connection.isClosing = true;
    const { latest } = connection;
    if (latest === undefined || latest.req.complete) {
      connection.inTurn(() => this.hangUp(connection, error));
      return;
    }
    // Once a request is answered, Node tells its handler nothing more, so a handler that reads the body would wait for ever.
    // Destroying the request ends that, but also cuts the connection, so it has to wait until the connection has closed.
    connection.socket.prependOnceListener('close', () => latest.req.destroy(withoutLimit(error)));
    const refuse = (): void => {
      connection.current = latest;
      if (!latest.headersSent) this.#answer(connection, latest, error);
      setTimeout(() => latest.end(() => connection.socket.destroySoon()), LINGER_MS).unref();
    };
    if (!connection.replace(latest, refuse)) refuse();
  }

  /** Answers without a response object, and closes the connection. */
  hangUp(connection: Connection, error: HttpError, requestId = randomUUID() as string, isHead = false): void {
    if (!connection.socket.writable) return;
    this.report(error, connection.socket.remoteAddress, requestId);
    const answer = closingAnswer(error, requestId);
    connection.closeAfterLinger(headOf(answer) + (isHead ? '' : answer.body.toString()));
  }

  /** Cuts a connection without an answer. */
  cut(connection: Connection, error: RefusalError): void {
    connection.isClosing = true;
    this.report(error, connection.socket.remoteAddress);
    const { socket } = connection;
    // Without a reset, the operating system would go on for minutes to offer the client what it has taken to send.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Reports a refusal. Any other error than a {@link RefusalError} means that the client has gone away. */
  report(error: HttpError, clientAddress: string | undefined, requestId?: string): void {
    if (!(error instanceof RefusalError)) return;
    const { code, limit, message: reason } = error;
    this.#onRefused?.({ status: ERROR_STATUS[code], code, limit, reason, clientAddress, requestId });
  }

  #answer(connection: Connection, response: ServerResponse, error: HttpError): void {
    const requestId = requestIdOf(response.req.rawHeaders);
    this.report(error, connection.socket.remoteAddress, requestId);
    send(response.req, response, closingAnswer(error, requestId));
  }
}

/** The error for the handler. The server has reported the limit, so the handler's own report must not tell it again. */
function withoutLimit({ code, message }: HttpError): HttpError {
  return new HttpError(code, message);
}

function closingAnswer(error: unknown, requestId: string): HttpAnswer {
  const answer = httpErrorAnswer(error);
  const headers = completeHeaders(answer, bodyLength(answer), requestId);
  headers.push('Cache-Control', 'no-store', 'Connection', 'close');
  return { ...answer, headers };
}

/** The status line and the header fields of an answer, as they are sent. */
function headOf({ status, headers }: HttpAnswer): string {
  const fields = [...headers, 'Date', new Date().toUTCString()].map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n`;
}
