import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from '../errors.js';
import { nextTurn } from '../node/next-turn.js';
import { requestIdOf } from '../request.js';
import { errorText, sendError } from './error-answer.js';
import type { RefusalError, Report } from './refusals.js';

/**
 * How long the server goes on reading after it has refused something and closed its side of the connection, in milliseconds.
 * Without this, a client that is still sending could get a reset instead of the answer.
 */
const LINGER_MS = 1000;

/**
 * How long a client that has ended its own side of the connection waits for an answer to begin, in milliseconds. It may still read,
 * but most clients that end their side have left.
 */
const ENDED_CLIENT_MS = 1000;

/** Captured when the module is loaded, because test runners replace the member of `process` with a fake. */
const { nextTick: atEndOfTick } = process;

/** A task that waits until everything before it on its connection has been answered. */
interface Turn {
  readonly run: () => void;
  /** The response to the waiting request; `undefined` if the task is not a request. */
  readonly response?: ServerResponse | undefined;
}

/** What the connections of a server have in common. */
export interface SharedByConnections {
  /** How many requests wait behind others, on all of them. */
  waiting: number;
  readonly report: Report;
}

/**
 * One connection, whose requests are answered one at a time: the next one starts when the answer before it has left.
 *
 * Node's parser emits all requests of a segment together, so the requests behind the first one wait here. No further segment
 * is read while one of them waits. A client that does not read its answers therefore holds the requests of one segment, 64
 * KiB at most.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the request that is being served, or was served last; `undefined` once its exchange is over. */
  current: ServerResponse | undefined;
  /** Whether the handler of the current request is running. */
  isRunning = false;
  /** Whether no further request is run. */
  isClosing = false;
  readonly #waiting: Turn[] = [];
  readonly #shared: SharedByConnections;
  /** Whether further bytes cannot be parsed either. Node's parser reports an error for each piece that still arrives. */
  #isUnreadable = false;
  /** Whether something has arrived that is not run. */
  #hasSurplus = false;
  #isLingering = false;

  constructor(socket: Socket, shared: SharedByConnections) {
    this.socket = socket;
    this.#shared = shared;
    this.#deferEnd();
    // Node resumes the socket for the rest of each request, even of one that has been answered.
    socket.on('resume', () => this.pause());
    socket.on('drain', () => this.#resume());
  }

  /** The response to the request that arrived last; `undefined` once its exchange is over. */
  get latest(): ServerResponse | undefined {
    return this.#waiting.findLast(({ response }) => response !== undefined)?.response ?? this.current;
  }

  /** The response to the request whose body has not arrived whole; `undefined` if there is none. */
  get arriving(): ServerResponse | undefined {
    const { latest } = this;
    return latest?.req.complete === false ? latest : undefined;
  }

  /** Whether a task waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether a request that arrives now has to wait, because an answer has not left yet. */
  get isBusy(): boolean {
    return this.isWaiting || this.#isDue;
  }

  /** Runs a task as soon as every answer has left; if it has to wait for that, in a turn of the event loop of its own. */
  inTurn(run: () => void, response?: ServerResponse): void {
    if (!this.isBusy) {
      this.#run({ run, response });
      return;
    }
    this.#waiting.push({ run, response });
    if (response !== undefined) this.#shared.waiting++;
    this.pause();
  }

  /** Refuses a request, or a connection, once everything before it has been answered. Nothing behind it is run. */
  refuse(error: HttpError, request?: IncomingMessage): void {
    this.isClosing = true;
    this.inTurn(() => this.#answerAndClose(error, request));
  }

  /**
   * Refuses bytes that are not a request, or a request that does not arrive. Whole requests that came before are answered
   * first. A request that has been answered gets no second answer.
   */
  refuseUnreadable(error: HttpError): void {
    if (this.#isUnreadable) return;
    this.#isUnreadable = true;
    const request = this.arriving?.req;
    if (request !== undefined && request === this.current?.req) {
      this.isClosing = true;
      this.#answerAndClose(error, request);
      return;
    }
    this.refuse(error, request);
    // Its refusal takes the place of the request.
    if (request !== undefined) this.#drop(this.#waiting.splice(-2, 1));
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

  /** Reads nothing more, because what arrives is not run. */
  stopReading(): void {
    this.#hasSurplus = true;
    this.pause();
  }

  /** Reads nothing as long as something waits, and goes on when the current answer has left. */
  pause(): void {
    // Before Node has parsed the whole segment, it would resume the socket.
    atEndOfTick(() => {
      if (this.#mustPause) this.socket.pause();
    });
  }

  /** Drops the waiting tasks, because the connection is closed. */
  dropWaiting(): void {
    this.#drop(this.#waiting.splice(0));
  }

  #drop(turns: readonly Turn[]): void {
    for (const { response } of turns) if (response !== undefined) this.#shared.waiting--;
  }

  /**
   * Whether nothing is read: while a request waits, behind the last request that is run, and while an answer waits for its
   * client, because a client that continues to send would not count as silent. An event tells when such an answer has left.
   */
  get #mustPause(): boolean {
    if (this.#isLingering) return false;
    const { writableLength, writableNeedDrain } = this.socket;
    const isSending = writableLength > 0 && (writableNeedDrain || this.current?.writableEnded === true);
    return isSending || this.isWaiting || this.#hasSurplus;
  }

  #resume(): void {
    if (!this.#mustPause) this.socket.resume();
  }

  #run({ run, response }: Turn): void {
    if (response !== undefined) {
      this.current = response;
      response.once('close', () => this.#goOnAfter(response));
    }
    run();
  }

  /** Whether an answer has not left yet. */
  get #isDue(): boolean {
    return this.current !== undefined && !hasLeft(this.current);
  }

  #goOnAfter(response: ServerResponse): void {
    // Otherwise, each connection would hold its last response until the next request, and all of these would survive garbage
    // collections and slow them down.
    if (this.current === response && response.req.complete) this.current = undefined;
    this.#resume();
    // Each request gets a turn of the event loop of its own, so that many small ones do not delay other connections.
    if (this.isWaiting) nextTurn(() => this.#advance());
  }

  #advance(): void {
    if (this.#isDue) return;
    // The answer may have closed the connection.
    if (!this.socket.writable) this.dropWaiting();
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#drop([turn]);
    if (!this.isWaiting) this.#resume();
    this.#run(turn);
  }

  /** Answers with an error, unless the request has been answered, and closes the connection. */
  #answerAndClose(error: HttpError, request: IncomingMessage | undefined): void {
    const { socket, current } = this;
    if (!socket.writable) return;
    const running = current !== undefined && current.req === request ? current : undefined;
    if (running?.headersSent !== true) {
      const requestId = requestIdOf(request?.rawHeaders ?? []);
      this.#shared.report(error, socket, request, requestId);
      if (running === undefined) socket.write(errorText(error, requestId, request?.method === 'HEAD'));
      else sendError(running, error, requestId);
      socket.end();
    }
    // A handler that reads the body learns of the error when its request is destroyed, which also cuts the connection. The error
    // has no limit, because the server itself reports it.
    const { code, message } = error;
    if (running !== undefined) {
      socket.prependOnceListener('close', () => running.req.destroy(new HttpError(code, message)));
    }
    this.#linger();
  }

  /** Reads and drops what still arrives for {@link LINGER_MS}, then closes the connection (RFC 9112, section 9.6). */
  #linger(): void {
    const { socket } = this;
    this.#isLingering = true;
    socket.resume();
    // Otherwise Node's parser would go on to read from the socket. Node resumes a socket in the next tick, and not if its parser
    // has been taken away before.
    nextTurn(() => {
      socket.removeAllListeners('data');
      socket.on('data', () => undefined);
    });
    setTimeout(() => socket.destroySoon(), LINGER_MS).unref();
  }

  /**
   * Lets Node notice only after the last answer that the client has ended its side. Node would close the connection immediately,
   * although such a client may still read.
   */
  #deferEnd(): void {
    const { socket } = this;
    const listeners = socket.listeners('end') as (() => void)[];
    socket.removeAllListeners('end');
    const end = (): void => listeners.forEach((listener) => listener.call(socket));
    socket.on('end', () => {
      if (this.arriving !== undefined) end();
      else {
        this.inTurn(end);
        this.#closeUnlessAnswered();
      }
    });
  }

  /** Closes the connection if the answer to its current request has not begun within {@link ENDED_CLIENT_MS}; checks each request. */
  #closeUnlessAnswered(): void {
    const { current } = this;
    setTimeout(() => {
      if (!this.isBusy) return;
      if (this.current === current && current?.headersSent === false) this.socket.destroy();
      else this.#closeUnlessAnswered();
    }, ENDED_CLIENT_MS).unref();
  }
}

/** Whether the operating system has accepted the whole answer. From Node 24 on, `writableFinished` becomes true only later. */
function hasLeft({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}
