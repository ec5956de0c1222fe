import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { HttpServer } from '../../src/adapters/http/server/http-server.js';
import { endWithTest } from './cleanup.js';

const LOOPBACK = '127.0.0.1';

/**
 * Has a server listen on a free port of 127.0.0.1, and resolves to the port. When the test ends, one of `createHttpServer`
 * is drained, after its clients have been closed; another one is closed with its connections.
 */
export async function listenOnFreePort(server: HttpServer | Server): Promise<number> {
  if ('drain' in server) {
    endWithTest(async () => server.drain(1));
    return (await server.listen(0, LOOPBACK)).port;
  }
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
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
