import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type DropArgument, type Socket } from 'node:net';
import { HttpError, INTERNAL_ERROR } from '../pipeline/errors.js';
import { DEFAULT_MAX_CONNECTIONS, DEFAULT_TIMEOUTS } from '../pipeline/limits.js';
import { consoleLog, safeLog, type Log } from '../pipeline/log.js';
import type { ProxyTrust } from '../pipeline/response-log.js';
import { closeAfter, Connection } from './connection.js';
import { MISCONFIGURATIONS, parserError, REJECTIONS, reportTo, requestError, type OnRejected } from './rejections.js';
import { boundUnsent } from './unsent-responses.js';

/** Answers Node's requests: the callback of a Koa application, an Express application, or any other listener. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Options of an HTTP server. The numbers are positive integers, the times in milliseconds. */
export interface HttpServerOptions {
  /**
   * The header section of a request must arrive within this time: from the opening of the connection, or from the first byte of a later
   * request.
   * @default 10000
   */
  readonly headersTimeout?: number | undefined;
  /** A request must arrive whole within this time. @default 30000 */
  readonly requestTimeout?: number | undefined;
  /** A connection may be idle between requests for this time: longer than the 60 s of common load balancers. @default 65000 */
  readonly keepAliveTimeout?: number | undefined;
  /**
   * If a client reads nothing of its response for this time, its connection is cut; it may take up to twice as long. The time that a
   * handler takes is not limited, and that of a body only by `requestTimeout`. A connection that has sent no whole header section
   * is closed after this time of silence, too.
   * @default 60000
   */
  readonly idleTimeout?: number | undefined;
  /**
   * The maximum number of open connections. Each costs memory and a file descriptor. A further one is closed without a response.
   * @default 10000
   */
  readonly maxConnections?: number | undefined;
  /** Called for each request and connection that the server itself refuses. An error that it throws is logged. @default none */
  readonly onRejected?: OnRejected | undefined;
  /**
   * Finds the address of the client behind reverse proxies, for `onRejected`: a function around the package `proxy-addr`, for example.
   * @default none: the address that the connection comes from
   */
  readonly trustProxy?: ProxyTrust | undefined;
  /**
   * Logs the errors that the handler throws, and connections that cannot be accepted; warns once if TLS arrives, and once if the PROXY
   * protocol does.
   * @default the console
   */
  readonly log?: (Pick<Log, 'error'> & Partial<Log>) | undefined;
}

/** An HTTP server that can be drained, and that answers with an `Error` where Node would refuse a request without a body. */
export interface HttpServer {
  /** Listens; resolves to the address. Port 0 picks a free port. Rejects if it cannot listen there. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** How many requests are being handled, including those whose clients have left. */
  readonly requestsInFlight: number;
  /**
   * Stops listening, and resolves when no connection is left. Serves the requests in flight and those that still arrive on
   * open connections; the last response on each connection carries `Connection: close`. Closes a connection after `grace`
   * milliseconds in which nothing arrived and no part of a response was sent; a header section must arrive within that time, or a
   * second later. Waits for each handler, and for the body of its request, which `requestTimeout` bounds; not for the rest of a
   * body once its handler has settled and its response has begun.
   */
  drain(grace: number): Promise<void>;
}

/** The time between two looks at all connections, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Makes an HTTP server for a request handler; it does not listen yet. If the handler throws or rejects, the request is
 * answered with a 500; if its response has started, the connection is cut.
 *
 * The requests of one connection are answered one at a time, in order: the handler gets a request when the response to the request
 * before it has left. One request may wait. If a client sends more ahead, the connection is closed after the response to the waiting request.
 *
 * @throws TypeError for an invalid limit.
 * @example
 * const server = createHttpServer(createApp({ store, apiKeys }).callback());
 * await server.listen(3000, '127.0.0.1');
 */
export function createHttpServer(handler: RequestHandler, options: HttpServerOptions = {}): HttpServer {
  const { headersTimeout = DEFAULT_TIMEOUTS.headersTimeout, requestTimeout = DEFAULT_TIMEOUTS.requestTimeout } =
    options;
  const { keepAliveTimeout = DEFAULT_TIMEOUTS.keepAliveTimeout, idleTimeout = DEFAULT_TIMEOUTS.idleTimeout } = options;
  const { maxConnections = DEFAULT_MAX_CONNECTIONS, onRejected, trustProxy } = options;
  const log = safeLog(options.log ?? consoleLog);
  const limits = { headersTimeout, requestTimeout, keepAliveTimeout, idleTimeout, maxConnections };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} must be a positive integer`);
  }
  if (headersTimeout > requestTimeout) throw new TypeError('headersTimeout must not be longer than requestTimeout');

  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(LOOK_MS, headersTimeout, requestTimeout),
    requireHostHeader: false,
  });
  server.timeout = idleTimeout;
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections;

  const connections = new Map<Socket, Connection>();
  const report = reportTo(onRejected, trustProxy, log);
  const unsent = boundUnsent(connections);
  const unwarned = new Set(MISCONFIGURATIONS);
  let looks: NodeJS.Timeout | undefined;
  /** Responses whose handlers have settled before the body of the request had arrived. */
  const settledEarly = new WeakSet<ServerResponse>();
  let running = 0;
  let isDraining = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    if (connection.isFull) {
      unsent.add(connection.ignore());
      return;
    }
    if (isDraining) {
      keepOpenAfter(connection.latest);
      closeAfter(response);
    }
    const error = requestError(request);
    if (error !== undefined) {
      connection.reject(error, request);
      return;
    }
    // Behind a request with `Upgrade`, Node's parser loses its place: it could take a part of a body for a request.
    connection.serve(response, request.headers.upgrade !== undefined);
  }

  async function run(connection: Connection, response: ServerResponse): Promise<void> {
    const request = response.req;
    running++;
    try {
      await handler(request, response);
    } catch (err) {
      // Reading the body rejects with this error if the server has rejected the request, or the client has left.
      const isOfRequest = err instanceof Error && err === request.errored;
      if (!isOfRequest) log.error({ err }, 'the request handler failed');
      if (response.headersSent) response.destroy();
      else connection.reject(err instanceof HttpError ? err : INTERNAL_ERROR, request);
    } finally {
      running--;
      if (!request.complete) settledEarly.add(response);
      unsent.add(request.socket.writableLength);
    }
  }

  function look(): void {
    unsent.look();
    if (isDraining) closeAnswered();
  }

  /** Closes the connections on which only the rest of an answered request is to come. */
  function closeAnswered(): void {
    for (const connection of connections.values()) {
      const { arriving, current, isBusy, socket } = connection;
      if (arriving === undefined || arriving !== current?.req) continue;
      const hasEnded = settledEarly.has(current) && current.headersSent && socket.writableLength === 0;
      if (!isBusy || hasEnded) connection.close();
    }
  }

  /** Called after `keepAliveTimeout` between requests, otherwise after `idleTimeout` or the grace of a drain. */
  function onSilence(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection?.isBusy !== true) socket.destroy();
    else if (socket.writableLength > 0) connection.cut(REJECTIONS.idle);
    else socket.setTimeout(server.timeout);
  }

  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket, report, run));
    socket.on('close', () => connections.delete(socket));
  });
  server.on('drop', (dropped: DropArgument = {}) => report(REJECTIONS.connections, dropped));
  server.on('timeout', onSilence);
  server.on('request', serve);
  // Agents that trace requests watch for events of this name.
  const emitRequest = (request: IncomingMessage, response: ServerResponse): unknown =>
    server.emit('request', request, response);
  server.on('checkExpectation', emitRequest);
  server.on('checkContinue', (request, response) => {
    // Only when the handler reads the body: a client whose request is answered without its body then does not send it.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    emitRequest(request, response);
  });
  server.on('connect', (request) => {
    const { socket } = request;
    // From here on, Node neither handles errors and the time-out of the connection, nor streams a response on.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => socket.destroy());
    connections.get(socket)?.reject(REJECTIONS.connect, request);
  });
  server.on('clientError', (cause, stream) => {
    const connection = connections.get(stream as Socket);
    // Browsers and others open connections that they may need later.
    const isUnused = (stream as Socket).bytesRead === 0;
    if (connection === undefined || isUnused) {
      stream.destroy();
      return;
    }
    const error = parserError(cause, connection.arriving !== undefined);
    if (unwarned.delete(error)) {
      const { remoteAddress: clientAddress } = connection.socket;
      log.warn({ clientAddress }, `a connection was refused: ${error.message}`);
    }
    connection.reject(error);
  });

  return {
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'));
      looks = setInterval(look, LOOK_MS).unref();
      return server.address() as AddressInfo;
    },
    get requestsInFlight() {
      return running;
    },
    async drain(grace) {
      isDraining = true;
      const closed = once(server, 'close');
      // http.Server.close would close idle connections immediately, and so reset a client that has just sent a request.
      NetServer.prototype.close.call(server);
      // For Node, 0 means no time-out.
      const time = Math.max(grace, 1);
      server.headersTimeout = Math.min(headersTimeout, time);
      server.keepAliveTimeout = Math.min(keepAliveTimeout, time);
      server.timeout = Math.min(idleTimeout, time);
      for (const connection of connections.values()) {
        closeAfter(connection.latest);
        connection.socket.setTimeout(server.timeout);
      }
      closeAnswered();
      await closed;
      // Ends the time-outs of requests, which the close of net.Server leaves on.
      server.close();
      clearInterval(looks);
    },
  };
}

/** Another request has arrived behind this response. */
function keepOpenAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) response.removeHeader('Connection');
}
