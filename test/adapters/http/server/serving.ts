import {
  createHttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/server/http-server.js';
import { endWithTest } from '../../../support/cleanup.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { RawConnection } from '../../../support/raw-connection.js';

/** Makes a server of this handler, which listens until the test ends; resolves to its port. */
export async function listen(handler: RequestHandler, options?: HttpServerOptions): Promise<number> {
  return listenOnFreePort(createHttpServer(handler, options));
}

/** Opens a connection to a server, until the test ends. */
export async function open(port: number): Promise<RawConnection> {
  return RawConnection.open(port);
}

/** Sends these bytes again and again, until the test ends. */
export function drip(connection: RawConnection, bytes: string): void {
  const drops = setInterval(() => connection.send(bytes), 20);
  endWithTest(() => clearInterval(drops));
}

/** The bytes of a GET for this target. */
export function getBytes(target: string, ...fields: readonly string[]): string {
  return `GET ${target} HTTP/1.1\r\n${['Host: x', ...fields].join('\r\n')}\r\n\r\n`;
}
