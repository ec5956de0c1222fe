import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long the server goes on reading after it has closed its side of a connection, in milliseconds, so that a client that
 * is still sending sees the answer.
 */
export const LINGER_MS = 1000;

/** Something that waits until everything that came before it on its connection has been answered. */
interface Turn {
  run: () => void;
  /** The response to the request that waits, if it is a request. */
  readonly response: ServerResponse | undefined;
}

/** How many turns wait on all connections of a server. */
export interface WaitingCount {
  waiting: number;
}

/**
 * One connection, whose requests are answered one at a time: the next one starts when the answer before it has left.
 *
 * Node's parser hands over every request of a segment at once, so the requests behind the first one wait here. No further
 * segment is read as long as one of them waits, so a client that does not read its answers costs the requests of one
 * segment, which is 64 KiB at most.
 */
export class Connection {
  readonly socket: Socket;
  /** The response that is being given, or was given last; `undefined` once it is released. */
  current: ServerResponse | undefined;
  /** How many requests have been taken on. */
  requestCount = 0;
  /**
   * Once it is `closing`, what arrives is not run. Once it is `unreadable`, what arrives cannot be parsed either, and Node's
   * parser reports each piece that still comes.
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

  /** Whether anything waits for an answer to leave. As long as it does, nothing is read from the connection. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether an answer has not left yet, so that a request that arrives now has to wait. */
  get isBusy(): boolean {
    return this.isWaiting || (this.current !== undefined && !hasLeft(this.current));
  }

  /** Runs something at once if every answer has left; otherwise {@link later}. */
  inTurn(run: () => void, response?: ServerResponse): void {
    if (this.isBusy) this.later(run, response);
    else run();
  }

  /** Runs something when every answer before it has left, in a turn of the event loop of its own. */
  later(run: () => void, response?: ServerResponse): void {
    if (!this.#hasWaited) this.#prepareToWait();
    this.#waiting.push({ run, response });
    this.#all.waiting++;
    this.socket.pause();
    this.#awaitTurn();
  }

  /** Runs something else in place of a request that waits. Returns whether it waits. */
  replace(response: ServerResponse, run: () => void): boolean {
    const turn = this.#waiting.find((each) => each.response === response);
    if (turn !== undefined) turn.run = run;
    return turn !== undefined;
  }

  /**
   * Lets go of the current response if its exchange is over. If each connection held its last one until the next request,
   * all of them would survive garbage collections, and slow them down.
   */
  release(): void {
    if (this.current !== undefined && hasLeft(this.current) && this.current.req.complete) this.current = undefined;
  }

  /** Drops what waits, because the connection is closed. */
  clear(): void {
    this.#all.waiting -= this.#waiting.length;
    this.#waiting.length = 0;
  }

  /**
   * Closes the connection in stages (RFC 9112, section 9.6): sends a last text, then goes on reading for a while, because
   * a client that is still sending could get a reset instead of what it was sent.
   */
  closeAfterLinger(lastText?: string): void {
    const { socket } = this;
    if (this.state === 'open') this.state = 'closing';
    if (lastText !== undefined) socket.write(lastText);
    socket.end();
    // With a listener of its own, the socket gives nothing more to Node's parser, which would make requests of it.
    socket.removeAllListeners('data');
    socket.on('data', () => undefined);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  #prepareToWait(): void {
    this.#hasWaited = true;
    const { socket } = this;
    // Node resumes the socket after each request that it has parsed, and after each answer. It then reads even if the socket
    // has been paused meanwhile, and stops only at the event.
    socket.on('resume', () => {
      if (!this.isWaiting) return;
      socket.pause();
      socket.emit('pause');
    });
    // Node calls this after the last answer. The client may have sent more, which nobody has read.
    socket.destroySoon = () => this.closeAfterLinger();
  }

  #awaitTurn(): void {
    if (this.#isAwaitingTurn) return;
    this.#isAwaitingTurn = true;
    const { current } = this;
    // A turn of the event loop for each request, so that many small ones do not hold up other connections.
    const advance = (): void => void setImmediate(() => this.#advance());
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

/** Whether the operating system has the whole of an answer. From Node 24 on, `writableFinished` tells so only later. */
function hasLeft({ writableEnded, writableLength }: ServerResponse): boolean {
  return writableEnded && writableLength === 0;
}
