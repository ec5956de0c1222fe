import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** What is known of an open connection. */
export interface Connection {
  /** The response to its latest request. Responses leave in the order of requests: when this one is out, all are. */
  latest?: ServerResponse;
  /** Whether it was told that it is closed: a request that comes after that is not run. */
  refused?: true;
  /** Whether Node's parser has given it up: it complains of each byte that still comes. */
  broken?: true;
}

/** Every open connection. */
export type Connections = ReadonlyMap<Socket, Connection>;

/**
 * Stops listening and resolves when no connection is left. Those with requests to be answered close with the last answer.
 * All others are closed once nothing has come or gone on them for `grace` milliseconds, or for up to twice as long: one
 * that is closed at once would reset a client that has just sent something, so `http.Server.close`, which does that, is
 * passed over for the one that it extends.
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

/** Has a connection closed after an answer, and so not after an earlier one that is still to be sent. */
export function closeAfter(response: ServerResponse, earlier?: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  if (earlier?.headersSent === false) earlier.removeHeader('Connection');
}

/** Changes whenever something has come in or gone out. */
function progressOf(socket: Socket): number {
  return socket.bytesRead - socket.writableLength;
}

/** Closes a connection; at once where its client does not read what was sent to it. */
function hangUp(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.destroySoon();
}
