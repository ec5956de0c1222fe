import type { Socket } from 'node:net';
import type { HttpError } from '../errors.js';
import type { Connection } from './connection.js';
import { bodyTooSlow, clientIsIdle } from './faults.js';
import type { Refusals } from './refusals.js';
import type { UnsentAnswers } from './unsent-answers.js';

/** The least rate at which a body must arrive, on average over the time since it began. */
export interface MinBodyRate {
  readonly bytesPerSecond: number;
  /** How long a body may take whatever its rate, in milliseconds. */
  readonly grace: number;
}

/** The limits that a {@link Watch} keeps, times in milliseconds. */
export interface WatchLimits {
  readonly headersTimeout: number;
  readonly idleTimeout: number;
  readonly minBodyRate: MinBodyRate;
}

/** How many times the server looks within the shortest limit, at least. */
const LOOKS = 5;

/** What the last look saw of a connection. */
interface Seen {
  /** How many bytes had come, and how many the operating system had taken to send. */
  read: number;
  sent: number;
  /** How many requests had been taken on. */
  requestCount: number;
  /** For how long the client has not moved although the next move is its own. */
  silentFor: number;
  /** For how long, while the server drains, no request has arrived and nothing of an answer has gone out. */
  unusedFor: number;
  /** The body that is arriving, that of the last request taken on: for how long, and how many bytes had come before. */
  body?: { readonly requestCount: number; readonly read: number; time: number };
  /** The fault of what has not arrived in time, and how much time it has left. */
  late?: { readonly fault: HttpError; readonly hasArrived: () => boolean; timeLeft: number } | undefined;
}

/**
 * Looks at every connection in regular periods, of a second at most, and ends those on which too little moves.
 *
 * Time counts in periods: if the process was stopped for a while, what has arrived meanwhile is not taken for silence.
 */
export class Watch {
  readonly #connections: ReadonlyMap<Socket, Connection>;
  readonly #limits: WatchLimits;
  readonly #refusals: Refusals;
  readonly #unsent: UnsentAnswers;
  readonly #seen = new WeakMap<Connection, Seen>();
  #period: number;
  #timer: NodeJS.Timeout | undefined;
  /** Set while the server drains. */
  #grace: number | undefined;

  constructor(connections: ReadonlyMap<Socket, Connection>, limits: WatchLimits, refusals: Refusals, unsent: UnsentAnswers) {
    this.#connections = connections;
    this.#limits = limits;
    this.#refusals = refusals;
    this.#unsent = unsent;
    const { headersTimeout, idleTimeout, minBodyRate } = limits;
    this.#period = Math.min(1000, Math.ceil(Math.min(headersTimeout, idleTimeout, minBodyRate.grace) / LOOKS));
  }

  start(): void {
    this.#timer = setInterval(() => {
      for (const connection of this.#connections.values()) {
        this.#unsent.count(connection);
        if (!connection.socket.destroyed) this.#look(connection);
      }
    }, this.#period).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * From now on, closes each connection on which no request has arrived whole and nothing of an answer has gone out for
   * `grace` milliseconds, unless its handler has yet to answer.
   */
  drain(grace: number): void {
    this.stop();
    this.#grace = grace;
    this.#period = Math.min(this.#period, Math.ceil(grace / LOOKS));
    this.start();
  }

  /**
   * Refuses what has not arrived in time on a connection that was not read because requests waited. It gets the same time
   * again from when the connection is read.
   */
  refuseUnlessArrived(connection: Connection, fault: HttpError): void {
    const { requestCount, latest } = connection;
    const isWhole = latest?.req.complete;
    const hasArrived = (): boolean => connection.requestCount !== requestCount || latest?.req.complete !== isWhole;
    this.#seenOf(connection).late = { fault, hasArrived, timeLeft: this.#limits.headersTimeout };
  }

  #seenOf(connection: Connection): Seen {
    const known = this.#seen.get(connection);
    if (known !== undefined) return known;
    const seen = { read: 0, sent: 0, requestCount: 0, silentFor: 0, unusedFor: 0 };
    this.#seen.set(connection, seen);
    return seen;
  }

  #look(connection: Connection): void {
    connection.release();
    const { socket, current, requestCount, isBusy } = connection;
    const seen = this.#seenOf(connection);
    const grace = this.#grace;
    // Node itself closes a connection that is idle between requests.
    if (!isBusy && current?.req.complete !== false && grace === undefined && seen.late === undefined) return;

    const read = socket.bytesRead;
    const sent = sentBytes(socket);
    const isUsed = sent !== seen.sent || requestCount !== seen.requestCount;
    // A client that has an answer to read cannot stay by sending something.
    const isMoving = isUsed || (socket.writableLength === 0 && read !== seen.read);
    seen.silentFor = isMoving || !awaitsClient(connection) ? 0 : seen.silentFor + this.#period;
    seen.unusedFor = isUsed || grace === undefined ? 0 : seen.unusedFor + this.#period;
    seen.read = read;
    seen.sent = sent;
    seen.requestCount = requestCount;

    const { idleTimeout, minBodyRate } = this.#limits;
    if (isBusy && seen.silentFor >= idleTimeout) this.#refusals.cut(connection, clientIsIdle());
    else if (grace !== undefined && seen.unusedFor >= grace && current?.headersSent !== false) hangUp(socket);
    else if (this.#isBodySlow(connection, seen)) {
      this.#refusals.unreadable(connection, bodyTooSlow(minBodyRate.bytesPerSecond));
    } else this.#lookForLate(connection, seen);
  }

  /** Whether a body arrives too slowly. It does not if the handler does not read it. */
  #isBodySlow(connection: Connection, seen: Seen): boolean {
    const { current, requestCount } = connection;
    if (current?.req.complete !== false) return false;
    const { body } = seen;
    if (body?.requestCount !== requestCount || !awaitsBody(connection)) {
      seen.body = { requestCount, read: seen.read, time: 0 };
      return false;
    }
    body.time += this.#period;
    const { bytesPerSecond, grace } = this.#limits.minBodyRate;
    return body.time >= grace && seen.read - body.read < (bytesPerSecond * body.time) / 1000;
  }

  #lookForLate(connection: Connection, seen: Seen): void {
    const { late } = seen;
    if (late === undefined) return;
    if (!connection.isWaiting) late.timeLeft -= this.#period;
    if (late.hasArrived()) seen.late = undefined;
    else if (late.timeLeft <= 0) this.#refusals.unreadable(connection, late.fault);
  }
}

/** Whether the next move is the client's: to read what it was sent, or to send a body. */
function awaitsClient(connection: Connection): boolean {
  return connection.socket.writableLength > 0 || awaitsBody(connection);
}

/** Whether a body is arriving that the handler reads. Until then, a client that expects 100 (Continue) sends nothing. */
function awaitsBody({ socket, current }: Connection): boolean {
  return current?.req.complete === false && current.req.readableFlowing !== null && !socket.isPaused();
}

/**
 * How many bytes the operating system has taken to send. Of the documented members, `bytesWritten` counts what waits for the
 * operating system too, and `writableLength` does not change until the whole of a body has been taken, so a client that
 * reads a large body slowly would seem to read nothing.
 */
function sentBytes(socket: Socket & { readonly _handle?: Handle | null }): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** The parts of a socket's handle that are used here. Node does not document them. */
interface Handle {
  /** How many bytes it was given to send. */
  readonly bytesWritten: number;
  /** How many of them the operating system has not taken yet. */
  readonly writeQueueSize: number;
}

/** Closes a connection; at once if its client does not read what it was sent. */
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}
