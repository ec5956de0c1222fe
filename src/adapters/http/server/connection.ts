import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { completeHeaders, errorResponse } from '../pipeline/http-response.js';
import { HttpError } from '../pipeline/errors.js';
import { nextTurn } from '../node/next-turn.js';
import { requestIdOf } from '../pipeline/header-fields.js';
import type { RefusalError, Report } from './refusals.js';

/**
 * How long the server goes on reading after it has refused something and closed its side of the connection, in milliseconds.
 * Without this, a client that is still sending could get a reset instead of the answer.
 */
const LINGER_MS = 1000;

/** Captured when the module is loaded, because test runners replace the member of `process` with a fake. */
const { nextTick: atEndOfTick } = process;

/** What the connections of a server have in common. */
export interface SharedByConnections {
  /** How many requests wait behind others, on all of them. */
  waiting: number;
  readonly report: Report;
  /** Runs the handler for a request. */
  readonly run: (connection: Connection, response: ServerResponse) => void;
}

/**
 * One connection, whose requests are answered one at a time: the next one starts when the answer before it has left. A refusal comes
 * after all of them, and is the last answer.
 *
 * Node's parser emits all requests of a segment together, so the requests behind the first one wait here. No further segment
 * is read while one of them waits. A client that does not read its answers therefore holds the requests of one segment, 64
 * KiB at most.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the request that is being served, or whose body still arrives after its answer; otherwise `undefined`. */
  current: ServerResponse | undefined;
  /** Whether an answer has not left yet, so that a request that arrives now has to wait. */
  isBusy = false;
  /** Whether no further request is run. */
  isClosing = false;
  /** The responses to the requests that wait. */
  readonly #waiting: ServerResponse[] = [];
  readonly #shared: SharedByConnections;
  /** The refusal that waits for its turn: of a request, or of the connection. */
  #refusal: { readonly error: HttpError; readonly request: IncomingMessage | undefined } | undefined;

  constructor(socket: Socket, shared: SharedByConnections) {
    this.socket = socket;
    this.#shared = shared;
    // Node resumes the socket for the rest of each request, even of one that has been answered, and so does this class after each.
    socket.on('resume', () => this.pause());
    socket.on('drain', () => socket.resume());
  }

  /** The response to the request that arrived last; `undefined` once its exchange is over. */
  get latest(): ServerResponse | undefined {
    return this.#waiting.at(-1) ?? this.current;
  }

  /** The request whose body has not arrived whole; `undefined` if there is none. */
  get arriving(): IncomingMessage | undefined {
    const request = this.latest?.req;
    return request?.complete === false ? request : undefined;
  }

  /** Whether a request waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs the handler for a request as soon as every answer before has left; if it has to wait, in a turn of the event loop of its own. */
  serveInTurn(response: ServerResponse): void {
    if (!this.isBusy) {
      this.#start(response);
      return;
    }
    this.#waiting.push(response);
    this.#shared.waiting++;
    this.pause();
  }

  /**
   * Refuses a request, or the connection, and closes the connection. Nothing that follows is run. Whole requests that came before are
   * answered first. A request that has been answered gets no second answer.
   */
  refuse(error: HttpError, request = this.arriving): void {
    this.isClosing = true;
    const isRunning = request !== undefined && request === this.current?.req;
    if (isRunning || !this.isBusy) {
      this.#answerAndClose(error, request);
      return;
    }
    // Node's parser reports an error for each piece that still arrives.
    if (this.#refusal !== undefined) return;
    this.#refusal = { error, request };
    // The refusal takes the place of the request.
    if (request === this.#waiting.at(-1)?.req) this.dropWaiting(-1);
    this.pause();
  }

  /** Cuts the connection without an answer, for a request that has arrived on it: by default, the current one. */
  cut(error: RefusalError, request: IncomingMessage | undefined = this.current?.req): void {
    const { socket } = this;
    this.isClosing = true;
    this.#shared.report(error, socket, request);
    // Without a reset, the operating system would go on for minutes to offer the client what it has taken to send.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Stops reading if nothing may be read now. The connection goes on to read by itself. */
  pause(): void {
    // Before Node has parsed the whole segment, it would resume the socket.
    atEndOfTick(() => {
      if (this.#mustPause) this.socket.pause();
    });
  }

  /** Drops the requests that wait, because the connection is closed; or those from an index on. */
  dropWaiting(start = 0): void {
    this.#shared.waiting -= this.#waiting.splice(start).length;
  }

  /**
   * Whether nothing is read: while a request waits, behind the last request that is run, and while an answer waits for its
   * client, because a client that continues to send would not count as silent. An event tells when such an answer has left.
   */
  get #mustPause(): boolean {
    const { writableEnded, writableLength, writableNeedDrain } = this.socket;
    const isSending = writableLength > 0 && (writableNeedDrain || this.current?.writableEnded === true);
    const isBehindLast = this.isClosing && this.arriving === undefined && !writableEnded;
    return isSending || this.isWaiting || isBehindLast;
  }

  #start(response: ServerResponse): void {
    this.current = response;
    this.isBusy = true;
    response.once('close', this.#goOn);
    this.#shared.run(this, response);
  }

  /** Called when the current answer has left, or never will. */
  readonly #goOn = (): void => {
    // Otherwise, each connection would hold its last response until the next request, and all of these would survive garbage
    // collections and slow them down.
    if (this.current?.req.complete === true) this.current = undefined;
    this.socket.resume();
    // Each request gets a turn of the event loop of its own, so that many small ones do not delay other connections.
    if (this.isWaiting || this.#refusal !== undefined) nextTurn(() => this.#advance());
    else this.isBusy = false;
  };

  #advance(): void {
    this.isBusy = false;
    // The answer, or the client, may have closed the connection.
    if (!this.socket.writable) this.dropWaiting();
    const response = this.#waiting.shift();
    if (response !== undefined) {
      this.#shared.waiting--;
      this.#start(response);
      this.socket.resume();
    } else if (this.#refusal !== undefined) this.#answerAndClose(this.#refusal.error, this.#refusal.request);
  }

  /**
   * Answers with an error, unless the request has been answered, and ends this side of the connection. Reads and drops what still
   * arrives for {@link LINGER_MS}, then closes the connection (RFC 9112, section 9.6).
   */
  #answerAndClose(error: HttpError, request: IncomingMessage | undefined): void {
    const { socket } = this;
    if (!socket.writable) return;
    const running = this.current?.req === request ? this.current : undefined;
    if (running?.headersSent !== true) {
      const requestId = requestIdOf(request?.rawHeaders ?? []);
      this.#shared.report(error, socket, request, requestId);
      // Even if a handler still runs: what it then writes to its response has no connection to go to.
      socket.write(answerText(error, requestId, request?.method === 'HEAD'));
    }
    socket.end();
    // A handler that reads the body learns of the error when its request is destroyed, which also cuts the connection. The error
    // has no limit, because the server itself reports it.
    const { code, message } = error;
    socket.prependOnceListener('close', () => running?.req.destroy(new HttpError(code, message)));
    socket.resume();
    // Node has stopped reading if nothing reads the body. A handler that still runs may read it.
    if (running === undefined) request?.resume();
    // Otherwise Node's parser would go on to read from the socket. Node resumes a socket in the next tick, and not if its parser
    // has been taken away before.
    nextTurn(() => {
      socket.removeAllListeners('data');
      socket.on('data', () => undefined);
    });
    setTimeout(() => socket.destroySoon(), LINGER_MS).unref();
  }
}

/** The whole answer to an error, after which the connection is closed. */
function answerText(error: HttpError, requestId: string, isHead: boolean): string {
  const response = errorResponse(error);
  const { status, headers, body } = response;
  completeHeaders(response, requestId);
  headers.push('Connection', 'close', 'Date', new Date().toUTCString());
  const fields = headers.map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${isHead ? '' : body.toString()}`;
}
