import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTurn } from '../node/next-turn.js';

/**
 * How long the server goes on reading after it has closed its side of a connection, in milliseconds. Without this, a client
 * that is still sending could get a reset instead of the answer.
 */
export const LINGER_MS = 1000;

/** A task that waits until everything before it on its connection has been answered. */
interface Turn {
  run: () => void;
  /** The response to the waiting request; `undefined` if the task is no request. */
  readonly response: ServerResponse | undefined;
}

/** How many turns wait on all connections of a server. */
export interface WaitingCount {
  waiting: number;
}

/**
 * One connection, whose requests are answered one at a time: the next one starts when the answer before it has left.
 *
 * Node's parser emits all requests of a segment at once, so the requests behind the first one wait here. No further segment
 * is read while one of them waits. A client that does not read its answers therefore holds the requests of one segment, 64
 * KiB at most.
 */
export class Connection {
  readonly socket: Socket;
  /** The response to the request that is being served, or was served last; `undefined` once it is released. */
  current: ServerResponse | undefined;
  /** How many requests have been taken on. */
  requestCount = 0;
  /**
   * `closing`: further requests are not run. `unreadable`: further bytes cannot be parsed either, and Node's parser reports
   * an error for each piece that still arrives.
   */
  state: 'open' | 'closing' | 'unreadable' = 'open';
  readonly #waiting: Turn[] = [];
  readonly #all: WaitingCount;
  #hasWaited = false;
  #isAwaitingTurn = false;

  constructor(socket: Socket, all: WaitingCount) {
    this.socket = socket;
    this.#all = all;
  }

  /** The response to the request that arrived last; `undefined` once it is released. */
  get latest(): ServerResponse | undefined {
    return this.#waiting.findLast(({ response }) => response !== undefined)?.response ?? this.current;
  }

  /** Whether a task waits. While one does, nothing is read from the connection. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether a request that arrives now has to wait, because an answer has not left yet. */
  get isBusy(): boolean {
    return this.isWaiting || (this.current !== undefined && !hasLeft(this.current));
  }

  /** Runs a task at once if every answer has left; otherwise {@link later}. */
  inTurn(run: () => void, response?: ServerResponse): void {
    if (this.isBusy) this.later(run, response);
    else run();
  }

  /** Runs a task when every answer before it has left, in a turn of the event loop of its own. */
  later(run: () => void, response?: ServerResponse): void {
    if (!this.#hasWaited) this.#prepareToWait();
    this.#waiting.push({ run, response });
    this.#all.waiting++;
    this.socket.pause();
    this.#awaitTurn();
  }

  /** Replaces the task of a waiting request. Returns whether the request was waiting. */
  replace(response: ServerResponse, run: () => void): boolean {
    const turn = this.#waiting.find((each) => each.response === response);
    if (turn !== undefined) turn.run = run;
    return turn !== undefined;
  }

  /**
   * Releases the current response if its exchange is over. If each connection held its last response until the next
   * request, all of these would survive garbage collections, and slow them down.
   */
  release(): void {
    if (this.current !== undefined && hasLeft(this.current) && this.current.req.complete) this.current = undefined;
  }

  /** Drops the waiting tasks, because the connection is closed. */
  clear(): void {
    this.#all.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }

  /**
   * Closes the connection in stages (RFC 9112, section 9.6): sends a last text, closes the server's side, and goes on
   * reading for {@link LINGER_MS}.
   */
  closeAfterLinger(lastText?: string): void {
    const { socket } = this;
    if (lastText !== undefined) socket.write(lastText);
    socket.end();
    // Otherwise Node's parser would go on to read from the socket, and emit requests.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  #prepareToWait(): void {
    this.#hasWaited = true;
    const { socket } = this;
    // Node resumes the socket after each parsed request and after each answer. It then goes on reading, even if the socket
    // was paused meanwhile, until the event `pause`.
    socket.on('resume', () => {
      if (!this.isWaiting) return;
      socket.pause();
      socket.emit('pause');
    });
    // Node calls this after the last answer. The client may have sent more that was not read.
    socket.destroySoon = () => this.closeAfterLinger();
  }

  #awaitTurn(): void {
    if (this.#isAwaitingTurn) return;
    this.#isAwaitingTurn = true;
    const { current } = this;
    // Each request gets a turn of the event loop of its own, so that many small ones do not delay other connections.
    const advance = (): void => void nextTurn(() => this.#advance());
    if (current === undefined || hasLeft(current)) advance();
    else current.once('close', advance);
  }

  #advance(): void {
    this.#isAwaitingTurn = false;
    if (!this.socket.writable) {
      this.clear();
      return;
    }
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#all.waiting--;
    if (!this.isWaiting) this.socket.resume();
    turn.run();
    if (this.isWaiting) this.#awaitTurn();
  }
}

/** Whether the operating system has accepted the whole answer. From Node 24 on, `writableFinished` becomes true only later. */
function hasLeft({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}
