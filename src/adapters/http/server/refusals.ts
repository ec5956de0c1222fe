import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyLength, completeHeaders, httpErrorAnswer, type HttpAnswer } from '../answer.js';
import { ERROR_STATUS, type ErrorCode, type HttpError } from '../errors.js';
import { requestIdOf } from '../request.js';
import { LINGER_MS, type Connection } from './connection.js';
import { connectFault, ServerFault, type ServerLimit } from './faults.js';
import { send } from '../node/send.js';

/** A request or a connection that the server itself has refused, or ended. */
export interface Refusal {
  /** The HTTP status of the answer, or the one that tells the reason best if the connection was cut. */
  readonly status: number;
  /** The `code` that goes with the status. */
  readonly code: ErrorCode;
  /** The limit that was exceeded; `undefined` for a request that is not well-formed HTTP. */
  readonly limit: ServerLimit | undefined;
  /** The `message` of the answer. It holds nothing that the client sent. */
  readonly reason: string;
  /** The IP address of the client; `undefined` if the connection is closed already. */
  readonly clientAddress: string | undefined;
  /** The `X-Request-Id` of the answer; `undefined` if none could be sent. */
  readonly requestId: string | undefined;
}

/** Called for each refusal. A client that goes away within its request gets a 400 if it still reads, but is no refusal. */
export type OnRefused = (refusal: Refusal) => void;

/** Answers a request with an error, and closes its connection once the request has arrived whole. */
export function answerWithError(response: ServerResponse, error: unknown): void {
  send(response, closingAnswer(error, requestIdOf(response.req.rawHeaders)));
}

/** Refuses what the server itself finds wrong, and reports it. */
export class Refusals {
  readonly #onRefused: OnRefused | undefined;

  constructor(onRefused: OnRefused | undefined) {
    this.#onRefused = onRefused;
  }

  /** Refuses a request, once all that came before it has been answered. What follows it is not run. */
  request(connection: Connection, response: ServerResponse, fault: ServerFault): void {
    connection.state = 'closing';
    connection.inTurn(() => {
      connection.current = response;
      this.#answer(connection, response, fault);
    }, response);
  }

  /** Refuses a `CONNECT`, for which Node hands over the bare connection. */
  connect(connection: Connection, request: IncomingMessage): void {
    connection.state = 'closing';
    connection.inTurn(() => this.hangUp(connection, connectFault(), requestIdOf(request.rawHeaders)));
  }

  /**
   * Refuses bytes that are not a request, or a request that does not arrive, and closes the connection. Whole requests that
   * came before are answered first. A request that has been answered gets no second answer.
   */
  unreadable(connection: Connection, fault: HttpError): void {
    if (connection.state === 'unreadable') return;
    connection.state = 'unreadable';
    const { latest } = connection;
    if (latest === undefined || latest.req.complete) {
      connection.inTurn(() => this.hangUp(connection, fault));
      return;
    }
    // Node tells the handler nothing more of a request that has its answer, so a handler that reads the body would wait for
    // ever. The request cannot be destroyed before the connection has closed, because that would cut the connection.
    connection.socket.prependOnceListener('close', () => latest.req.destroy(fault));
    const refuse = (): void => {
      connection.current = latest;
      if (!latest.headersSent) this.#answer(connection, latest, fault);
      setTimeout(() => latest.end(() => connection.socket.destroySoon()), LINGER_MS).unref();
    };
    if (!connection.replace(latest, refuse)) refuse();
  }

  /** Answers without a request, and closes the connection. */
  hangUp(connection: Connection, fault: HttpError, requestId = randomUUID() as string): void {
    if (!connection.socket.writable) return;
    this.report(fault, connection.socket.remoteAddress, requestId);
    connection.closeAfterLinger(textOf(closingAnswer(fault, requestId)));
  }

  /** Cuts a connection without an answer. */
  cut(connection: Connection, fault: ServerFault): void {
    connection.state = 'closing';
    this.report(fault, connection.socket.remoteAddress);
    connection.socket.destroy();
  }

  /** Reports a refusal. An error that is no {@link ServerFault} is none: the client has gone away. */
  report(fault: HttpError, clientAddress: string | undefined, requestId?: string): void {
    if (!(fault instanceof ServerFault)) return;
    const { code, exceeded: limit, message: reason } = fault;
    this.#onRefused?.({ status: ERROR_STATUS[code], code, limit, reason, clientAddress, requestId });
  }

  #answer(connection: Connection, response: ServerResponse, fault: HttpError): void {
    const requestId = requestIdOf(response.req.rawHeaders);
    this.report(fault, connection.socket.remoteAddress, requestId);
    send(response, closingAnswer(fault, requestId));
  }
}

function closingAnswer(error: unknown, requestId: string): HttpAnswer {
  const answer = httpErrorAnswer(error);
  const headers = completeHeaders(answer, bodyLength(answer), requestId);
  headers.push('Cache-Control', 'no-store', 'Connection', 'close');
  return { ...answer, headers };
}

/** An answer as it is sent. */
function textOf({ status, headers, body }: HttpAnswer): string {
  const fields = [...headers, 'Date', new Date().toUTCString()].map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body.toString()}`;
}
