import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, DropArgument, Socket } from 'node:net';
import { once } from 'node:events';
import { consoleLog, type Log } from '../log.js';
import { parseBehindUpgrade } from './after-upgrade.js';
import { Connection, type WaitingCount } from './connection.js';
import { closeAfter, drain, keepOpenAfter } from './drain.js';
import { continueWhenRead } from './expect-continue.js';
import {
  faultOfError,
  faultOfRequest,
  HEADERS_MAX_BYTES,
  notHttp,
  REQUEST_TIMEOUT_CODE,
  tooManyConnections,
  tooManyPipelined,
} from './faults.js';
import { DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_UNSENT } from './limits.js';
import { answerWithError, Refusals, type OnRefused } from './refusals.js';
import { UnsentAnswers } from './unsent-answers.js';
import { Watch, type MinBodyRate } from './connection-monitor.js';

/** Answers Node's requests: the callback of a Koa application, an Express application, any listener. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Options of an HTTP server. The numbers are positive integers, the times in milliseconds. */
export interface HttpServerOptions {
  /** The header section of a request must arrive within this time, which starts when the connection opens. @default 10000 */
  readonly headersTimeout?: number;
  /** A request must arrive whole within this time. @default 30000 */
  readonly requestTimeout?: number;
  /** A connection may be idle between requests for this time: longer than the 60 s of common load balancers. @default 65000 */
  readonly keepAliveTimeout?: number;
  /**
   * A connection is cut if its client neither reads its answer nor sends its body for this time. The server notices this up
   * to a second later. How long a handler takes is not limited.
   * @default 60000
   */
  readonly idleTimeout?: number;
  /**
   * A request whose body arrives more slowly is answered with 408. The default lets every mobile connection pass, and bounds
   * what a client can hold up by sending a byte now and then.
   * @default { bytesPerSecond: 240, grace: 5000 }
   */
  readonly minBodyRate?: MinBodyRate;
  /**
   * How many connections may be open. Each costs memory and a file descriptor. One beyond gets a 503
   * `overloaded` and is closed; if 100 of those are open too, a further one is closed without an answer.
   * @default 10000
   */
  readonly maxConnections?: number;
  /**
   * How many bytes of answers may wait for clients to read them, over all connections. Beyond it, the connection that holds
   * most is cut. What the operating system has taken to send does not count. An answer counts when the handler has ended it,
   * or within a second.
   * @default 67108864
   */
  readonly maxUnsent?: number;
  /** Called for each request and connection that the server itself refuses. It must not throw. @default none */
  readonly onRefused?: OnRefused | undefined;
  /** Gets the errors that the handler throws. @default the console */
  readonly log?: Pick<Log, 'error'>;
}

/** An HTTP server that answers even the requests that Node refuses by itself, and that can be drained. */
export interface HttpServer {
  /** Listens; resolves to the address. Port 0 takes a free one. Rejects if the address cannot be listened on. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * How many requests have arrived whose handlers have not ended, those included that wait behind others on their connections.
   * A request counts even if its client has left.
   */
  readonly requestsInFlight: number;
  /**
   * Stops listening and resolves when no connection is left. Serves the requests in flight and those that still arrive on
   * open connections, the last answer of each with `Connection: close`. Closes connections on which, for `grace`
   * milliseconds, no request has arrived and nothing of an answer has gone out. A request that is to be answered holds this
   * up until its body has arrived, which the server's limits bound, and its handler has answered.
   */
  drain(grace: number): Promise<void>;
}

/** How many connections beyond the limit get an answer at the same time. */
const REFUSED_AT_ONCE = 100;

/**
 * How many requests may wait behind others on their connections, over all connections. Each takes about 2 KB, so clients that
 * pipeline and do not read could use up the memory otherwise. A connection on which one more arrives is cut.
 */
const PIPELINED_MAX = 10_000;

/**
 * Makes an HTTP server for a request handler; it does not listen yet. If the handler throws or rejects, the request is
 * answered with a 500; if its answer has started, the connection is cut.
 *
 * The requests of one connection are answered one at a time, in order: the handler gets the next one when the answer before
 * it has left.
 *
 * @throws TypeError for a limit that is not as the options say.
 * @example
 * const server = createHttpServer(createApp({ store, apiKeys }).callback());
 * await server.listen(3000, '127.0.0.1');
 */
export function createHttpServer(handler: RequestHandler, options: HttpServerOptions = {}): HttpServer {
  const { headersTimeout = 10_000, requestTimeout = 30_000, keepAliveTimeout = 65_000, idleTimeout = 60_000 } = options;
  const { minBodyRate = { bytesPerSecond: 240, grace: 5000 }, maxConnections = DEFAULT_MAX_CONNECTIONS } = options;
  const { maxUnsent = DEFAULT_MAX_UNSENT, onRefused, log = consoleLog } = options;
  const times = { headersTimeout, requestTimeout, keepAliveTimeout, idleTimeout };
  const limits = { ...times, ...minBodyRate, maxConnections, maxUnsent };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} must be a positive integer`);
  }
  if (headersTimeout > requestTimeout) throw new TypeError('headersTimeout must not be longer than requestTimeout');

  const server: Server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(1000, headersTimeout, requestTimeout),
    maxHeaderSize: HEADERS_MAX_BYTES,
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections + REFUSED_AT_ONCE;
  // Undocumented: a client that ends its side of the connection after a request still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });

  const connections = new Map<Socket, Connection>();
  const all: WaitingCount = { waiting: 0 };
  const refusals = new Refusals(onRefused);
  const unsent = new UnsentAnswers(maxUnsent, refusals);
  const watch = new Watch(connections, { headersTimeout, idleTimeout, minBodyRate }, refusals, unsent);
  let running = 0;
  let draining = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    // The last answer of a connection may leave while the segment is being parsed that holds another request.
    if (connection?.state !== 'open' || socket.writableEnded) return;
    if (all.waiting >= PIPELINED_MAX && connection.isBusy) {
      refusals.cut(connection, tooManyPipelined());
      return;
    }
    if (draining) keepOpenAfter(connection.latest);
    connection.requestCount++;
    const fault = faultOfRequest(request);
    if (fault === undefined) {
      if (request.headers.upgrade !== undefined) ignoreUpgrade(connection, response);
      connection.inTurn(() => void run(connection, request, response), response);
    } else refusals.request(connection, response, fault);
  }

  function ignoreUpgrade(connection: Connection, response: ServerResponse): void {
    const isServed = parseBehindUpgrade(connection, () => refusals.unreadable(connection, notHttp()));
    if (!isServed) closeAfter(response);
  }

  async function run(connection: Connection, request: IncomingMessage, response: ServerResponse): Promise<void> {
    connection.current = response;
    if (draining && !connection.isWaiting) closeAfter(response);
    running++;
    try {
      await handler(request, response);
    } catch (err) {
      // A request that its server has refused, or its client has left, ends the reading of its body with that error.
      const isOfRequest = err instanceof Error && err === request.errored;
      if (!isOfRequest) log.error({ err }, 'the request handler failed');
      if (response.headersSent) response.destroy();
      else answerWithError(response, err);
    } finally {
      running--;
      if (response.writableEnded) unsent.count(connection);
      else response.once('prefinish', () => unsent.count(connection));
      connection.release();
    }
  }

  server.on('connection', (socket) => {
    const connection = new Connection(socket, all);
    // After CONNECT, Node no longer listens for the errors of a connection, and they would end the process.
    socket.on('error', () => socket.destroy());
    if (connections.size >= maxConnections) {
      refusals.hangUp(connection, tooManyConnections());
      return;
    }
    connections.set(socket, connection);
    socket.on('close', () => {
      connections.delete(socket);
      connection.clear();
      unsent.forget(connection);
    });
  });
  server.on('drop', (dropped?: DropArgument) => refusals.report(tooManyConnections(), dropped?.remoteAddress));
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    serve(request, response);
  });
  server.on('connect', (request) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    // Node leaves the connection alone from here on, with what it still has to send.
    socket.on('drain', () => connection.current?.emit('drain'));
    refusals.connect(connection, request);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const connection = connections.get(stream as Socket);
    const fault = faultOfError(error, connection?.latest?.req.complete === false);
    if (connection === undefined || fault === undefined) stream.destroy();
    else if (error.code === REQUEST_TIMEOUT_CODE && connection.isWaiting) {
      watch.refuseUnlessArrived(connection, fault);
    } else refusals.unreadable(connection, fault);
  });

  return {
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      watch.start();
      return server.address() as AddressInfo;
    },
    get requestsInFlight() {
      return running + all.waiting;
    },
    async drain(grace) {
      draining = true;
      await drain(server, connections, watch, grace);
    },
  };
}
