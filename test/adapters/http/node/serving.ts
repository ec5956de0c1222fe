import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/node/http-server.js';
import { RawConnection } from '../../../support/raw-connection.js';

/** What a test does with servers; all that it opens is closed after the test. */
export interface HttpServers {
  /** Makes a server listen; resolves to its port. */
  listen(handler: RequestHandler, options?: HttpServerOptions): Promise<number>;
  /** Opens a connection to a server. */
  open(port: number): Promise<RawConnection>;
}

/** Gives the tests of a `describe` servers of their own. */
export function useHttpServers(): HttpServers {
  const servers: HttpServer[] = [];
  const connections: RawConnection[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.destroy();
    await Promise.all(servers.splice(0).map(async (server) => server.drain(1)));
  });

  return {
    async listen(handler, options) {
      const server = createHttpServer(handler, options);
      servers.push(server);
      return (await server.listen(0, '127.0.0.1')).port;
    },
    async open(port) {
      const connection = await RawConnection.open(port);
      connections.push(connection);
      return connection;
    },
  };
}

/** The bytes of a GET for this target. */
export function getBytes(target: string, ...fields: readonly string[]): string {
  return `GET ${target} HTTP/1.1\r\n${['Host: x', ...fields].join('\r\n')}\r\n\r\n`;
}
