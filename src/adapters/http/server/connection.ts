import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import timers from 'node:timers';
import { completeHeaders, errorResponse } from '../pipeline/http-response.js';
import { HttpError } from '../pipeline/errors.js';
import { requestIdOf } from '../pipeline/header-fields.js';
import type { RejectionError, Report } from './rejections.js';

/**
 * How long the server goes on reading after it has refused something and closed its side of the connection, in milliseconds.
 * Without this, a client that is still sending could get a reset instead of the answer.
 */
const LINGER_MS = 1000;

/** How much is read and dropped behind the last request that is run, so that what a client sends costs little, in bytes. */
const DROPPED_BYTES = 32_768;

/** About how much memory Node holds for a request that is never run, in bytes. */
const IGNORED_BYTES = 2048;

/** Captured when the module is loaded, because test runners replace these members with fakes. */
const { nextTick: atEndOfTick } = process;
const { setImmediate: nextTurn } = timers;

/**
 * One connection, whose requests are answered one at a time: the next one starts when the answer before it has left. One request may
 * wait, or the refusal of one. If a further one has arrived, the one that waits is the last that is answered: the client has to send the
 * others again on another connection (RFC 9112, section 9.3.2).
 *
 * Node's parser emits all requests of a segment together. No further segment is read while one of them waits, so a client that does
 * not read its answers holds the requests of one segment, 64 KiB at most.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the request that is being served, or whose body still arrives after its answer; otherwise `undefined`. */
  current: ServerResponse | undefined;
  /** Whether an answer has not left yet, so that a request that arrives now has to wait. */
  isBusy = false;
  /** Whether no further request is run. */
  isClosing = false;
  readonly #report: Report;
  readonly #run: (connection: Connection, response: ServerResponse) => unknown;
  /** The response to the request that waits. */
  #waiting: ServerResponse | undefined;
  /** The refusal that waits for its turn: of a request, or of what the parser does not understand. */
  #refusal: { readonly error: HttpError; readonly request: IncomingMessage | undefined } | undefined;
  /** How many requests have arrived that are never run. Node holds them until the connection is closed. */
  #ignored = 0;
  #hasPaused = false;
  /** Whether what arrives is dropped. */
  #isDropping = false;

  /** @param run Runs the handler for a request. */
  constructor(socket: Socket, report: Report, run: (connection: Connection, response: ServerResponse) => unknown) {
    this.socket = socket;
    this.#report = report;
    this.#run = run;
  }

  /** The response to the request that arrived last and is to be run; `undefined` once its exchange is over. */
  get latest(): ServerResponse | undefined {
    return this.#waiting ?? this.current;
  }

  /** The request whose body has not arrived whole; `undefined` if there is none. */
  get arriving(): IncomingMessage | undefined {
    const request = this.latest?.req;
    return request?.complete === false ? request : undefined;
  }

  /** Whether a request waits. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** About how many bytes the process holds because the client does not read: of answers, and of requests that are never run. */
  get heldBytes(): number {
    return this.socket.writableLength + this.#ignored * IGNORED_BYTES;
  }

  /** Runs the handler for a request as soon as the answer before has left; if it has to wait, in a turn of the event loop of its own. */
  serveInTurn(response: ServerResponse): void {
    if (!this.isBusy) {
      this.#start(response);
      return;
    }
    this.#waiting = response;
    this.pause();
  }

  /** Runs nothing of what has arrived behind the request that waits, or follows. Returns how many bytes that adds to {@link heldBytes}. */
  ignoreRest(): number {
    this.isClosing = true;
    this.#ignored++;
    closeAfter(this.#waiting);
    this.pause();
    return IGNORED_BYTES;
  }

  /**
   * Refuses a request, or what cannot be parsed, and closes the connection. Nothing that follows is run. If a request is being
   * answered, the refusal waits; it takes the place of its own request, but not of another one that waits. A request that has been
   * answered gets no second answer.
   */
  refuse(error: HttpError, request = this.arriving): void {
    const isRunning = request !== undefined && request === this.current?.req;
    const isWaiting = request !== undefined && request === this.#waiting?.req;
    if (isRunning || !this.isBusy) {
      this.isClosing = true;
      this.#answerAndClose(error, request);
    } else if (isWaiting || (this.#waiting === undefined && !this.isClosing)) {
      this.isClosing = true;
      this.#waiting = undefined;
      this.#refusal = { error, request };
      this.pause();
    } else this.ignoreRest();
  }

  /** Cuts the connection without an answer, for what its current request does. */
  cut(error: RejectionError): void {
    const { socket } = this;
    this.isClosing = true;
    this.#report(error, socket, this.current?.req);
    // Without a reset, the operating system would go on for minutes to offer the client what it has taken to send.
    socket.resetAndDestroy();
  }

  /** Stops reading if nothing may be read now. The connection goes on to read by itself. */
  pause(): void {
    // Before Node has parsed the whole segment, it would resume the socket.
    atEndOfTick(() => {
      if (!this.#mustPause) return;
      if (!this.#hasPaused) {
        this.#hasPaused = true;
        // Node resumes the socket for the rest of each request, even of one that has been answered, and so does this class after each.
        this.socket.on('resume', () => !this.#isDropping && this.pause());
        this.socket.on('drain', () => this.socket.resume());
      }
      this.socket.pause();
    });
  }

  /**
   * Whether nothing is read: while a request waits, behind the last request that is run, and while an answer waits for its
   * client, because a client that continues to send would not count as silent. An event tells when such an answer has left.
   */
  get #mustPause(): boolean {
    const { writableEnded, writableLength, writableNeedDrain } = this.socket;
    const isSending = writableLength > 0 && (writableNeedDrain || this.current?.writableEnded === true);
    const isBehindLast = this.isClosing && !this.#isDropping && this.arriving === undefined && !writableEnded;
    return isSending || this.isWaiting || isBehindLast;
  }

  #start(response: ServerResponse): void {
    this.current = response;
    this.isBusy = true;
    response.once('close', this.#goOn);
    this.#run(this, response);
  }

  /** Called when the current answer has left, or never will. */
  readonly #goOn = (): void => {
    // Otherwise, each connection would hold its last response until the next request, and all of these would survive garbage
    // collections and slow them down.
    if (this.current?.req.complete === true) this.current = undefined;
    // Each request gets a turn of the event loop of its own, so that many small ones do not delay other connections.
    if (this.isWaiting || this.#refusal !== undefined) nextTurn(() => this.#advance());
    else {
      this.isBusy = false;
      this.socket.resume();
      // If the handler has replaced our `Connection: close`, Node keeps the connection open.
      if (this.isClosing) this.#close();
    }
  };

  #advance(): void {
    const { socket } = this;
    const response = this.#waiting;
    this.#waiting = undefined;
    this.isBusy = false;
    // The answer, or the client, may have closed the connection.
    if (!socket.writable) return;
    if (response === undefined) {
      if (this.#refusal !== undefined) this.#answerAndClose(this.#refusal.error, this.#refusal.request);
    } else if (this.isClosing && response.req.complete) {
      this.isBusy = true;
      // Node closes the connection behind this answer. The system would reset it, and lose what it has not sent of the answer, if
      // bytes of the client were left unread.
      this.#drop(DROPPED_BYTES);
      nextTurn(() => nextTurn(() => socket.writable && this.#start(response)));
    } else {
      this.#start(response);
      socket.resume();
    }
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
      this.#report(error, socket, request, requestId);
      // Even if a handler still runs: what it then writes to its response has no connection to go to.
      socket.write(answerText(error, requestId, request?.method === 'HEAD'));
    }
    // A handler that reads the body learns of the error when its request is destroyed, which also cuts the connection. The error
    // has no limit, because the server itself reports it.
    const { code, message } = error;
    socket.prependOnceListener('close', () => running?.req.destroy(new HttpError(code, message)));
    this.#close();
  }

  /** Ends this side of the connection, and closes it after {@link LINGER_MS}. */
  #close(): void {
    if (!this.socket.writable) return;
    this.socket.end();
    this.#drop(Infinity);
    setTimeout(() => this.socket.destroySoon(), LINGER_MS).unref();
  }

  /** Reads and drops what arrives from now on, until it is about so many bytes. */
  #drop(bytes: number): void {
    const { socket } = this;
    const end = socket.bytesRead + bytes;
    this.#isDropping = true;
    // Once Node has parsed the segment. Its parser would go on to read from the socket; taken away earlier, it would not resume it.
    nextTurn(() => {
      socket.pause();
      socket.once('resume', () => {
        socket.removeAllListeners('data');
        socket.on('data', () => socket.bytesRead >= end && socket.pause());
      });
      socket.resume();
    });
  }
}

/** Closes the connection after this answer. */
export function closeAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.setHeader('Connection', 'close');
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
