import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** The state of an open connection. */
export interface Connection {
  /** The response to its latest request. Responses leave in the order of requests, so once this one is sent, all are. */
  latest?: ServerResponse;
  /** Set once the connection is to close. A request that comes after that is not run. */
  refused?: true;
  /** Set once Node's parser has failed. It reports an error for each piece of data that still comes. */
  broken?: true;
}

/** Every open connection. */
export type Connections = ReadonlyMap<Socket, Connection>;

/**
 * Stops listening, and resolves when no connection is left. A connection with requests in flight closes after the last
 * answer. Any other closes once nothing has come or gone on it for one to two times `grace` milliseconds.
 *
 * `http.Server.close` would close idle connections at once, and so reset a client that has just sent a request. That is
 * why this calls the `close` of `net.Server`, which `http.Server` extends.
 */
export async function drain(server: Server, connections: Connections, grace: number): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  const seen = new WeakMap<Socket, number>();
  for (const [socket, { latest }] of connections) {
    seen.set(socket, progressOf(socket));
    if (latest !== undefined) closeAfter(latest);
  }
  const sweep = setInterval(() => {
    for (const [socket, { latest }] of connections) {
      const progress = progressOf(socket);
      const isIdle = latest?.headersSent !== false && progress === seen.get(socket);
      seen.set(socket, progress);
      if (isIdle) hangUp(socket);
    }
  }, grace);
  await closed;
  clearInterval(sweep);
}

/** Closes the connection after this answer, and not after an earlier one that is still to be sent. */
export function closeAfter(response: ServerResponse, earlier?: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  if (earlier?.headersSent === false) earlier.removeHeader('Connection');
}

/** A number that changes whenever data has come in or gone out. */
function progressOf(socket: Socket): number {
  return socket.bytesRead - socket.writableLength;
}

/** Closes a connection; at once if its client does not read what it was sent. */
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}
