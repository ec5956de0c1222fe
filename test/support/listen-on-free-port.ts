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
  const sockets = new Set<Socket>();
  const note = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  if ('drain' in server) {
    const { port } = await server.listen(0, LOOPBACK);
    const noteOwn = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      if (socket.localPort === port) note(socket);
    };
    subscribe(CONNECTIONS, noteOwn);
    endWithTest(async () => {
      unsubscribe(CONNECTIONS, noteOwn);
      const drained = server.drain(1);
      for (const socket of sockets) socket.destroy();
      await drained;
    });
    return port;
  }
  server.on('connection', note);
  endWithTest(async () => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
