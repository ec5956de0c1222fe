import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import type Koa from 'koa';
import { closeAfter, drain, type Connection } from './drain.js';
import { faultOfRequest, refuse, refuseConnect, refuseMalformed } from './refusals.js';

/** The time-outs of an HTTP server, in milliseconds. */
export interface HttpServerOptions {
  /** By when the header section of a request must have arrived, a connection's silence at its start included. @default 10000 */
  readonly headersTimeout?: number;
  /** By when a request must have arrived whole. @default 30000 */
  readonly requestTimeout?: number;
  /** How long a connection may be idle between requests: longer than a load balancer's 60 s. @default 65000 */
  readonly keepAliveTimeout?: number;
  /** How long nothing may come or go within an exchange: a client that does not read its answer is cut off. @default 60000 */
  readonly idleTimeout?: number;
}

/** An HTTP server that answers even what Node refuses by itself, and that can be drained. */
export interface HttpServer {
  /** Listens; resolves to the address. Port 0 takes a free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening, serves the requests in flight and those that still arrive on open connections, each answer with
   * `Connection: close`, closes connections on which nothing has come or gone for `grace` milliseconds, and resolves when
   * none is left. A request that does not arrive whole holds it up until the server's time-out for requests.
   */
  drain(grace: number): Promise<void>;
}

/** Makes the HTTP server for an application; it does not listen yet. */
export function createHttpServer(app: Pick<Koa, 'callback'>, options: HttpServerOptions = {}): HttpServer {
  const { headersTimeout = 10_000, requestTimeout = 30_000, keepAliveTimeout = 65_000, idleTimeout = 60_000 } = options;
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
  // Not in Node's documents: a client that ends its side after a request gets the answer all the same.
  Object.assign(server, { httpAllowHalfOpen: true });

  const connections = new Map<Socket, Connection>();
  const answer = app.callback();
  let draining = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = connectionOf(request.socket);
    if (connection.refused) return;
    if (draining) closeAfter(response, connection.latest);
    connection.latest = response;
    const fault = faultOfRequest(request);
    if (fault === undefined) {
      void answer(request, response);
      return;
    }
    connection.refused = true;
    refuse(response, fault);
  }

  function connectionOf(socket: Socket): Connection {
    return connections.get(socket) ?? {};
  }

  server.on('connection', (socket) => {
    connections.set(socket, {});
    socket.on('close', () => connections.delete(socket));
    // Node leaves a connection alone that it has handed over after CONNECT: its errors would end the process.
    socket.on('error', () => socket.destroy());
  });
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request, response) => {
    // Whoever reads the body asks for it; who answers without, does not.
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
