import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { HttpServer } from '../../src/adapters/http/server/http-server.js';
import { endWithTest } from './cleanup.js';

const LOOPBACK = '127.0.0.1';

/** Node publishes each connection to a server of this process here. */
const CONNECTIONS = 'net.server.socket';

/**
 * Has a server listen on a free port of 127.0.0.1, and resolves to the port. When the test ends, the server is closed with its
 * connections. One of `createHttpServer` drains meanwhile: its connections are not waited for, as a handler may never answer.
 */
export async function listenOnFreePort(server: HttpServer | Server): Promise<number> {
  const port = 'drain' in server ? (await server.listen(0, LOOPBACK)).port : await listen(server);
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort !== port) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe(CONNECTIONS, note);
  endWithTest(async () => {
    unsubscribe(CONNECTIONS, note);
    const closed = 'drain' in server ? server.drain(1) : close(server);
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return port;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}
