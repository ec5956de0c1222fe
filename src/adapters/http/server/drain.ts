import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connection } from './connection.js';
import type { Watch } from './connection-monitor.js';

/**
 * Stops listening, and resolves when no connection is left. A connection with a request to answer closes after the last
 * answer. Any other closes once, for one to one and a half times `grace` milliseconds, no request has arrived whole and
 * nothing of an answer has gone out: neither half a header section, nor the rest of a body that has its answer, holds it up.
 *
 * `http.Server.close` would close idle connections at once, and so reset a client that has just sent a request. That is
 * why this calls the `close` of `net.Server`, which `http.Server` extends.
 */
export async function drain(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  watch: Watch,
  grace: number,
): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  for (const { current, isWaiting } of connections.values()) {
    if (current !== undefined && !isWaiting) closeAfter(current);
  }
  watch.drain(grace);
  await closed;
  watch.stop();
}

/** Closes the connection after this answer. */
export function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Keeps the connection open after this answer, because another request has arrived behind it. */
export function keepOpenAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.removeHeader('Connection');
}
