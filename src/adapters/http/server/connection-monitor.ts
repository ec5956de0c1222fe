import type { Socket } from 'node:net';
import type { HttpError } from '../errors.js';
import type { Connection } from './connection.js';
import { bodyTooSlow, clientIsIdle } from './refusal-errors.js';
import type { Refusals } from './refusals.js';
import { sentBytes } from './socket-bytes.js';
import type { UnsentAnswers } from './unsent-answers.js';

/** The least rate at which a body must arrive, on average over the time since it began. */
export interface MinBodyRate {
  readonly bytesPerSecond: number;
  /** How long a body may take whatever its rate, in milliseconds. */
  readonly grace: number;
}

/** The limits that a {@link ConnectionMonitor} enforces, times in milliseconds. */
export interface MonitorLimits {
  readonly headersTimeout: number;
  readonly idleTimeout: number;
  readonly minBodyRate: MinBodyRate;
}

/** How often each connection is checked within the shortest limit, at least. */
const CHECKS_PER_LIMIT = 5;

/** The state of a connection at the last check. */
interface Snapshot {
  /** How many bytes had come, and how many the operating system had taken to send. */
  read: number;
  sent: number;
  /** How many requests had been taken on. */
  requestCount: number;
  /** For how long the client has neither read nor sent anything, although the server waits for it. */
  silentFor: number;
  /** For how long, while the server drains, no request has arrived and nothing of an answer has gone out. */
  unusedFor: number;
  /** The body that is arriving, of the last request taken on: since when, and how many bytes had come before it. */
  body?: { readonly requestCount: number; readonly read: number; time: number };
  /** A request that is overdue: the error to refuse it with, and the time that it has left. */
  late?: { readonly error: HttpError; readonly hasArrived: () => boolean; timeLeft: number } | undefined;
}

/**
 * Checks every connection periodically, at least once a second, and ends those that break a limit.
 *
 * It counts periods rather than reading a clock. After a pause of the process, what arrived during the pause therefore does
 * not count as late.
 */
export class ConnectionMonitor {
  readonly #connections: ReadonlyMap<Socket, Connection>;
  readonly #limits: MonitorLimits;
  readonly #refusals: Refusals;
  readonly #unsent: UnsentAnswers;
  readonly #snapshots = new WeakMap<Connection, Snapshot>();
  #period: number;
  #timer: NodeJS.Timeout | undefined;
  /** Set while the server drains. */
  #grace: number | undefined;

  constructor(
    connections: ReadonlyMap<Socket, Connection>,
    limits: MonitorLimits,
    refusals: Refusals,
    unsent: UnsentAnswers,
  ) {
    this.#connections = connections;
    this.#limits = limits;
    this.#refusals = refusals;
    this.#unsent = unsent;
    const { headersTimeout, idleTimeout, minBodyRate } = limits;
    this.#period = Math.min(
      1000,
      Math.ceil(Math.min(headersTimeout, idleTimeout, minBodyRate.grace) / CHECKS_PER_LIMIT),
    );
  }

  start(): void {
    this.#timer = setInterval(() => {
      for (const connection of this.#connections.values()) {
        this.#unsent.count(connection);
        if (!connection.socket.destroyed) this.#check(connection);
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
    this.#period = Math.min(this.#period, Math.ceil(grace / CHECKS_PER_LIMIT));
    this.start();
  }

  /**
   * Refuses an overdue request unless it still arrives. Its connection was not read while other requests waited on it, so
   * the request gets the same time again, counted from when the connection is read.
   */
  refuseUnlessArrived(connection: Connection, error: HttpError): void {
    const { requestCount, latest } = connection;
    const isWhole = latest?.req.complete;
    const hasArrived = (): boolean => connection.requestCount !== requestCount || latest?.req.complete !== isWhole;
    this.#snapshotOf(connection).late = { error, hasArrived, timeLeft: this.#limits.headersTimeout };
  }

  #snapshotOf(connection: Connection): Snapshot {
    const known = this.#snapshots.get(connection);
    if (known !== undefined) return known;
    const snapshot = { read: 0, sent: 0, requestCount: 0, silentFor: 0, unusedFor: 0 };
    this.#snapshots.set(connection, snapshot);
    return snapshot;
  }

  #check(connection: Connection): void {
    connection.release();
    const { socket, current, requestCount, isBusy } = connection;
    const snapshot = this.#snapshotOf(connection);
    const grace = this.#grace;
    // Node itself closes a connection that is idle between requests.
    if (!isBusy && current?.req.complete !== false && grace === undefined && snapshot.late === undefined) return;

    const read = socket.bytesRead;
    const sent = sentBytes(socket);
    const isUsed = sent !== snapshot.sent || requestCount !== snapshot.requestCount;
    // As long as a client has an answer to read, sending does not count.
    const isMoving = isUsed || (socket.writableLength === 0 && read !== snapshot.read);
    snapshot.silentFor = isMoving || !awaitsClient(connection) ? 0 : snapshot.silentFor + this.#period;
    snapshot.unusedFor = isUsed || grace === undefined ? 0 : snapshot.unusedFor + this.#period;
    snapshot.read = read;
    snapshot.sent = sent;
    snapshot.requestCount = requestCount;

    const { idleTimeout, minBodyRate } = this.#limits;
    if (isBusy && snapshot.silentFor >= idleTimeout) this.#refusals.cut(connection, clientIsIdle());
    else if (grace !== undefined && snapshot.unusedFor >= grace && current?.headersSent !== false) hangUp(socket);
    else if (this.#isBodySlow(connection, snapshot)) {
      this.#refusals.unreadable(connection, bodyTooSlow(minBodyRate.bytesPerSecond));
    } else this.#checkLate(connection, snapshot);
  }

  /** Whether a body arrives too slowly. The time in which the handler does not read it does not count. */
  #isBodySlow(connection: Connection, snapshot: Snapshot): boolean {
    const { requestCount } = connection;
    const { body } = snapshot;
    if (body?.requestCount !== requestCount || !awaitsBody(connection)) {
      snapshot.body = { requestCount, read: snapshot.read, time: 0 };
      return false;
    }
    body.time += this.#period;
    const { bytesPerSecond, grace } = this.#limits.minBodyRate;
    return body.time >= grace && snapshot.read - body.read < (bytesPerSecond * body.time) / 1000;
  }

  #checkLate(connection: Connection, snapshot: Snapshot): void {
    const { late } = snapshot;
    if (late === undefined) return;
    if (!connection.isWaiting) late.timeLeft -= this.#period;
    if (late.hasArrived()) snapshot.late = undefined;
    else if (late.timeLeft <= 0) this.#refusals.unreadable(connection, late.error);
  }
}

/** Whether the server waits for the client: to read what it was sent, or to send a body. */
function awaitsClient(connection: Connection): boolean {
  return connection.socket.writableLength > 0 || awaitsBody(connection);
}

/** Whether a body is arriving that the handler has begun to read. A client that expects 100 (Continue) sends nothing before. */
function awaitsBody({ socket, current }: Connection): boolean {
  return current?.req.complete === false && current.req.readableFlowing !== null && !socket.isPaused();
}

/** Closes a connection. If unsent bytes are left, closes it at once, because the client does not read them. */
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}
