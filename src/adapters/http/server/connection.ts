import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import timers from 'node:timers';
import { completeHeaders, errorResponse } from '../pipeline/http-response.js';
import { HttpError } from '../pipeline/errors.js';
import { requestIdOf } from '../pipeline/header-fields.js';
import { REJECTIONS, type RejectionError, type Report } from './rejections.js';

/** For a client to read an error, in milliseconds: closed at once, one that is still sending would get a reset. */
const LINGER_MS = 1000;

/** About the memory that Node holds for a request that is never run, in bytes. */
const IGNORED_BYTES = 2048;

/** Captured when the module is loaded, because test runners replace these members with fakes. */
const { nextTick: atEndOfTick } = process;
const { setImmediate: nextTurn } = timers;

/** A request to run, or an error to answer with. The error of what is not a request has no request. */
interface Turn {
  readonly request: IncomingMessage | undefined;
  readonly response?: ServerResponse;
  readonly error?: HttpError;
}

/** Serves one request, while one waits. If more arrive, the client must send them again on another connection (RFC 9112, section 9.3.2). */
export class Connection {
  readonly socket: Socket;
  /** The response to the request that is being served, or whose body still arrives after its response. */
  current: ServerResponse | undefined;
  isBusy = false;
  readonly #report: Report;
  readonly #run: (connection: Connection, response: ServerResponse) => unknown;
  #isClosing = false;
  #waiting: Turn | undefined;
  /** Requests that are never run. Node holds them until the connection is closed. */
  #ignored = 0;

  constructor(socket: Socket, report: Report, run: (connection: Connection, response: ServerResponse) => unknown) {
    this.socket = socket;
    this.#report = report;
    this.#run = run;
  }

  get latest(): ServerResponse | undefined {
    return this.#waiting?.response ?? this.current;
  }

  get arriving(): IncomingMessage | undefined {
    const request = this.latest?.req;
    return request?.complete === false ? request : undefined;
  }

  get isFull(): boolean {
    return this.#isClosing || this.#waiting !== undefined || this.socket.writableEnded;
  }

  /** About how many bytes the process holds because the client does not read. */
  get heldBytes(): number {
    return this.socket.writableLength + this.#ignored * IGNORED_BYTES;
  }

  serve(response: ServerResponse, isLast: boolean): void {
    if (isLast) closeAfter(response);
    this.#take({ request: response.req, response });
    if (isLast) this.#isClosing = true;
  }

  /** Closes the connection after the error. A request that has been answered gets no second response. */
  reject(error: HttpError, request = this.arriving): void {
    this.#take({ request, error });
  }

  /** Reads no further segment for now. Returns what the request adds to {@link heldBytes}. */
  ignore(): number {
    this.#isClosing = true;
    this.#ignored++;
    closeAfter(this.#waiting?.response);
    // Before Node has parsed the whole segment, it would resume the socket.
    atEndOfTick(() => this.socket.pause());
    return IGNORED_BYTES;
  }

  cut(error: RejectionError): void {
    const { socket } = this;
    this.#isClosing = true;
    this.#report(error, socket, this.current?.req);
    // Otherwise, the operating system would go on for minutes to offer the client what waits.
    socket.resetAndDestroy();
  }

  /** Stops reading until the client has read what waits, if an event will tell of that. */
  pause(): void {
    const { socket } = this;
    const isLeaving = socket.writableLength > 0 && this.current?.writableEnded === true;
    if (socket.isPaused() || !(socket.writableNeedDrain || isLeaving)) return;
    socket.pause();
    socket.off('drain', this.#resume).once('drain', this.#resume);
  }

  /** Waits {@link LINGER_MS} (RFC 9112, section 9.6). */
  close(): void {
    const { socket } = this;
    if (!socket.writable) return;
    this.#isClosing = true;
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  readonly #resume = (): void => void this.socket.resume();

  #take(turn: Turn): void {
    const { request } = turn;
    const isOf = (other: IncomingMessage | undefined): boolean => request !== undefined && request === other;
    if (!this.isBusy || isOf(this.current?.req)) this.#begin(turn);
    else if (isOf(this.#waiting?.request) || !this.isFull) this.#waiting = turn;
    else this.ignore();
  }

  #begin({ request, response, error }: Turn): void {
    if (error !== undefined) this.#respondAndClose(error, request);
    if (response === undefined) return;
    this.current = response;
    this.isBusy = true;
    response.once('close', this.#goOn);
    this.#run(this, response);
  }

  readonly #goOn = (): void => {
    const turn = this.#waiting;
    // The client may send another request as soon as it has the response.
    this.#waiting = undefined;
    // A response that is held until the next request would survive garbage collections, and slow them down.
    if (this.current?.req.complete === true) this.current = turn?.response;
    this.socket.resume();
    if (turn === undefined) {
      this.isBusy = false;
      // If the handler has replaced our `Connection: close`, Node keeps the connection open.
      if (this.#isClosing) this.close();
      return;
    }
    const advance = (): void => {
      this.isBusy = false;
      if (this.socket.writable) this.#begin(turn);
    };
    // A turn of the event loop each, so that many small requests do not delay other connections. The last one gets two, in which one more
    // segment is read: with bytes left unread, closing would reset the connection, and the client could lose the end of the response.
    nextTurn(this.#isClosing ? () => nextTurn(advance) : advance);
  };

  #respondAndClose(error: HttpError, request: IncomingMessage | undefined): void {
    const { socket } = this;
    if (!socket.writable) return;
    const running = this.current?.req === request ? this.current : undefined;
    if (running?.headersSent !== true) {
      const requestId = requestIdOf(request?.rawHeaders ?? []);
      this.#report(error, socket, request, requestId);
      // A handler that still runs then has a response without a connection.
      socket.write(errorText(error, requestId, request?.method === 'HEAD'));
    }
    // If a handler reads the body, the read rejects with this error. It has no limit, because the server itself reports it.
    const { code, message } = error;
    socket.prependOnceListener('close', () => running?.req.destroy(new HttpError(code, message)));
    this.close();
    // A handler must not get the rest of a late body, and act although the client was told that it did not.
    if (running !== undefined && error === REJECTIONS.time) socket.pause();
    else {
      request?.resume();
      socket.resume();
    }
  }
}

export function closeAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.setHeader('Connection', 'close');
}

function errorText(error: HttpError, requestId: string, isHead: boolean): string {
  const response = errorResponse(error);
  const { status, headers, body } = response;
  completeHeaders(response, requestId);
  headers.push('Connection', 'close', 'Date', new Date().toUTCString());
  const fields = headers.map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${isHead ? '' : body.toString()}`;
}
