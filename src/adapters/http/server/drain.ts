import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connection } from './connection.js';
import type { ConnectionMonitor } from './connection-monitor.js';

/**
 * Stops listening, and resolves when no connection is left. A connection with a request to answer closes after the last
 * answer. Any other closes after one to one and a half times `grace` milliseconds in which no request arrived whole and no
 * part of an answer was sent. Half a header section does not keep a connection open, nor does the rest of a body whose
 * request has been answered.
 *
 * Calls the `close` of `net.Server`, which `http.Server` extends. `http.Server.close` would close idle connections at once,
 * and so reset a client that has just sent a request.
 */
export async function drain(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  monitor: ConnectionMonitor,
  grace: number,
): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  for (const { current, isWaiting } of connections.values()) {
    if (current !== undefined && !isWaiting) closeAfter(current);
  }
  monitor.drain(grace);
  await closed;
  monitor.stop();
}

/** Closes the connection after this answer. */
export function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Keeps the connection open after this answer, because another request has arrived behind it. */
export function keepOpenAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.removeHeader('Connection');
}
