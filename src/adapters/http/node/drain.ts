import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connection } from './connection.js';

/** Every open connection. */
export type Connections = ReadonlyMap<Socket, Connection>;

/**
 * Stops listening, and resolves when no connection is left. A connection with a request to answer closes after the last
 * answer. Any other closes once, for one to two times `grace` milliseconds, no request has arrived whole and nothing of an
 * answer has gone out: neither half a header section, nor the rest of a body that has its answer, holds it up.
 *
 * `http.Server.close` would close idle connections at once, and so reset a client that has just sent a request. That is
 * why this calls the `close` of `net.Server`, which `http.Server` extends.
 */
export async function drain(server: Server, connections: Connections, grace: number): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  const seen = new Map<Connection, Progress>();
  for (const connection of connections.values()) {
    seen.set(connection, progressOf(connection));
    if (connection.current !== undefined && !connection.isWaiting) closeAfter(connection.current);
  }
  const sweep = setInterval(() => {
    for (const connection of connections.values()) {
      const progress = progressOf(connection);
      const before = seen.get(connection);
      seen.set(connection, progress);
      const isStill = before?.latest === progress.latest && before?.sent === progress.sent;
      if (isStill && connection.current?.headersSent !== false) hangUp(connection.socket);
    }
  }, grace);
  await closed;
  clearInterval(sweep);
}

/** Closes the connection after this answer. */
export function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Keeps the connection open after this answer, because another request has arrived behind it. */
export function keepOpenAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.removeHeader('Connection');
}

/** What changes as long as a connection is in use. */
interface Progress {
  readonly latest: ServerResponse | undefined;
  /** How many bytes the operating system has taken. */
  readonly sent: number;
}

function progressOf({ latest, socket }: Connection): Progress {
  return { latest, sent: socket.bytesWritten - queuedBytes(socket) };
}

/**
 * How many bytes wait for the operating system to take them. Node documents only `writableLength`, which does not change
 * until the whole of a body has been taken, so a client that reads a large one slowly would seem to read nothing.
 */
function queuedBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } | null }): number {
  return socket._handle?.writeQueueSize ?? socket.writableLength;
}

/** Closes a connection; at once if its client does not read what it was sent. */
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}
