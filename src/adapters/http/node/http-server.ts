import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { consoleLog, type Log } from '../log.js';
import { closeAfter, drain, type Connection } from './drain.js';
import { faultOfRequest, refuse, refuseConnect, refuseMalformed } from './refusals.js';

/** Answers Node's requests: the callback of a Koa application, an Express application, any listener. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The time-outs of an HTTP server, in milliseconds, and its log. */
export interface HttpServerOptions {
  /** The header section of a request must arrive within this time, which starts when the connection opens. @default 10000 */
  readonly headersTimeout?: number;
  /** A request must arrive whole within this time. @default 30000 */
  readonly requestTimeout?: number;
  /** A connection may be idle between requests for this time: longer than the 60 s of common load balancers. @default 65000 */
  readonly keepAliveTimeout?: number;
  /** Within an exchange, data must come or go within this time. It cuts off a client that does not read. @default 60000 */
  readonly idleTimeout?: number;
  /** Gets the errors that the handler throws. @default the console */
  readonly log?: Pick<Log, 'error'>;
}

/** An HTTP server that answers even the requests that Node refuses by itself, and that can be drained. */
export interface HttpServer {
  /** Listens; resolves to the address. Port 0 takes a free one. Rejects if the address cannot be listened on. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening and resolves when no connection is left. Serves the requests in flight and those that still arrive on
   * open connections, each answer with `Connection: close`, and closes connections on which nothing has come or gone for
   * `grace` milliseconds. A request that does not arrive whole holds this up until the server's time-out for requests.
   */
  drain(grace: number): Promise<void>;
}

/**
 * Makes an HTTP server for a request handler; it does not listen yet. If the handler throws or rejects, the request is
 * answered with a 500; if its answer has started, the connection is cut.
 *
 * @example
 * const server = createHttpServer(createApp({ store, apiKeys }).callback());
 * await server.listen(3000, '127.0.0.1');
 */
export function createHttpServer(handler: RequestHandler, options: HttpServerOptions = {}): HttpServer {
  const { headersTimeout = 10_000, requestTimeout = 30_000, keepAliveTimeout = 65_000, idleTimeout = 60_000 } = options;
  const { log = consoleLog } = options;
  const connectionsCheckingInterval = Math.min(1000, headersTimeout, requestTimeout);
  const server: Server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.timeout = idleTimeout;
  // Undocumented: a client that ends its side of the connection after a request still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });

  const connections = new Map<Socket, Connection>();
  let draining = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = connectionOf(request.socket);
    if (connection.refused) return;
    if (draining) closeAfter(response, connection.latest);
    connection.latest = response;
    const fault = faultOfRequest(request);
    if (fault === undefined) {
      void run(request, response);
      return;
    }
    connection.refused = true;
    refuse(response, fault);
  }

  async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await handler(request, response);
    } catch (err) {
      log.error({ err }, 'the request handler failed');
      if (response.headersSent) response.destroy();
      else refuse(response, err);
    }
  }

  function connectionOf(socket: Socket): Connection {
    return connections.get(socket) ?? {};
  }

  server.on('connection', (socket) => {
    connections.set(socket, {});
    socket.on('close', () => connections.delete(socket));
    // After CONNECT, Node no longer listens for the errors of a connection, and they would end the process.
    socket.on('error', () => socket.destroy());
  });
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request, response) => {
    // Ask for the body only when it is read: a request that is answered without it must not send it.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    serve(request, response);
  });
  server.on('connect', (request) => refuseConnect(request, request.socket, connectionOf(request.socket)));
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    refuseMalformed(error, socket, connectionOf(socket));
  });

  return {
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      return server.address() as AddressInfo;
    },
    async drain(grace) {
      draining = true;
      await drain(server, connections, grace);
    },
  };
}
