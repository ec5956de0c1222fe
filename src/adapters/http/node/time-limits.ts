import type { ServerResponse } from 'node:http';
import type { Connection } from './connection.js';
import { bodyTooSlow, type ServerFault } from './faults.js';

/** The least rate at which a body must arrive, on average over the time since it began. */
export interface MinBodyRate {
  readonly bytesPerSecond: number;
  /** How long a body may take whatever its rate, in milliseconds. */
  readonly grace: number;
}

/** How many times in an idle time-out the server looks whether a connection is still silent. */
const LOOKS = 6;

/** Cuts connections on which nothing comes or goes. */
export class SilenceLimit {
  /** The time-out to set on each socket, in milliseconds. */
  readonly socketTimeout: number;
  readonly #silences = new WeakMap<Connection, { looks: number; at: number }>();

  /** @param idleTimeout In milliseconds. */
  constructor(idleTimeout: number) {
    this.socketTimeout = Math.ceil(idleTimeout / LOOKS);
  }

  /**
   * Takes note of a socket's time-out. Closes the connection if it was idle between requests, or at the sixth time-out in a
   * row otherwise.
   *
   * A single time-out of six times the length would not do: Node starts a socket's time-out anew, once, if the operating
   * system has taken a part of what was sent.
   */
  onTimeout(connection: Connection): void {
    const { socket } = connection;
    const now = performance.now();
    const { looks, at } = this.#silences.get(connection) ?? { looks: 0, at: 0 };
    const isInRow = now - at < 1.5 * this.socketTimeout;
    const silence = { looks: isInRow ? looks + 1 : 1, at: now };
    if (socket.timeout !== this.socketTimeout || silence.looks === LOOKS) {
      socket.destroy();
      return;
    }
    this.#silences.set(connection, silence);
    socket.setTimeout(this.socketTimeout);
  }
}

/**
 * Refuses the bodies that arrive too slowly, until the interval that it returns is cleared. A body is not too slow if the
 * handler does not read it.
 */
export function watchBodies(
  connections: ReadonlyMap<unknown, Connection>,
  { bytesPerSecond, grace }: MinBodyRate,
  refuse: (connection: Connection, fault: ServerFault) => void,
): NodeJS.Timeout {
  const bodies = new WeakMap<ServerResponse, { since: number; bytes: number }>();
  const look = (): void => {
    const now = performance.now();
    for (const connection of connections.values()) {
      const { current, socket } = connection;
      if (current === undefined || current.req.complete) continue;
      const body = bodies.get(current);
      if (body === undefined || socket.isPaused()) {
        bodies.set(current, { since: now, bytes: socket.bytesRead });
        continue;
      }
      const milliseconds = now - body.since;
      const isSlow = socket.bytesRead - body.bytes < (bytesPerSecond * milliseconds) / 1000;
      if (milliseconds >= grace && isSlow) refuse(connection, bodyTooSlow(bytesPerSecond));
    }
  };
  return setInterval(look, Math.min(1000, grace)).unref();
}

/**
 * Refuses what has not arrived in time on a connection that was not read because requests waited. It gets the same time
 * again from when it is read.
 */
export function giveTime(connection: Connection, time: number, refuse: () => void, wasRead = false): void {
  const { latest } = connection;
  const isWhole = latest?.req.complete;
  const look = (): void => {
    const hasArrived = connection.latest !== latest || latest?.req.complete !== isWhole;
    if (hasArrived) return;
    const isRead = !connection.isWaiting;
    if (wasRead && isRead) refuse();
    else giveTime(connection, time, refuse, isRead);
  };
  setTimeout(look, time).unref();
}
