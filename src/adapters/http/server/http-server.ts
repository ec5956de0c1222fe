import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, DropArgument, Socket } from 'node:net';
import { once } from 'node:events';
import { consoleLog, type Log } from '../log.js';
import { parseBehindUpgrade } from './after-upgrade.js';
import { Connection, type WaitingCount } from './connection.js';
import { closeAfter, drain, keepOpenAfter } from './drain.js';
import { continueWhenRead } from './expect-continue.js';
import {
  HEADERS_MAX_BYTES,
  notHttp,
  parserError,
  REQUEST_TIMEOUT_CODE,
  requestError,
  type RefusalError,
  tooManyConnections,
  tooManyPipelined,
} from './refusal-errors.js';
import { hasMalformedRequestLine } from './request-line.js';
import { DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_UNSENT } from './limits.js';
import { answerWithError, Refusals, type OnRefused } from './refusals.js';
import { UnsentAnswers } from './unsent-answers.js';
import { ConnectionMonitor, type MinBodyRate } from './connection-monitor.js';

/** Answers Node's requests: the callback of a Koa application, an Express application, or any other listener. */
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
   * A request whose body arrives more slowly is answered with 408. The default is slow enough for every mobile connection,
   * and stops clients that hold a connection by sending a byte now and then.
   * @default { bytesPerSecond: 240, grace: 5000 }
   */
  readonly minBodyRate?: MinBodyRate;
  /**
   * How many connections may be open. Each costs memory and a file descriptor. A further one gets a 503 `overloaded` and is
   * closed. While 100 of those are still open, it is closed without an answer.
   * @default 10000
   */
  readonly maxConnections?: number;
  /**
   * How many bytes of answers may wait for clients to read them, over all connections. Beyond it, the connection whose
   * client has most left to read is cut. Bytes that the operating system has accepted do not count. An answer counts as soon
   * as the handler has ended it, or within a second.
   * @default 67108864
   */
  readonly maxUnsent?: number;
  /** Called for each request and connection that the server itself refuses. It must not throw. @default none */
  readonly onRefused?: OnRefused | undefined;
  /** Logs the errors that the handler throws. @default the console */
  readonly log?: Pick<Log, 'error'>;
}

/** An HTTP server that answers every request with an `Error` that Node would refuse without one, and that can be drained. */
export interface HttpServer {
  /** Listens; resolves to the address. Port 0 takes a free one. Rejects if the address cannot be listened on. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * How many requests have arrived whose handlers have not ended. Includes requests that wait behind others on their
   * connections, and requests whose clients have left.
   */
  readonly requestsInFlight: number;
  /**
   * Stops listening, and resolves when no connection is left. Serves the requests in flight and those that still arrive on
   * open connections; the last answer on each connection carries `Connection: close`. Closes a connection after `grace`
   * milliseconds in which no request arrived and no part of an answer was sent. Waits for each handler to answer, and for
   * the body of each request, which the server's limits bound.
   */
  drain(grace: number): Promise<void>;
}

/** How many connections beyond the limit may be open to get their 503. */
const REFUSED_AT_ONCE = 100;

/**
 * How many requests may wait behind others, over all connections. Each takes about 2 KB, so clients that pipeline and do not
 * read could otherwise use up the memory. Beyond it, a connection on which more than one comes to wait is cut. One may always
 * wait: a client that has read an answer can send the next request before this process notices that the answer has left.
 */
const PIPELINED_MAX = 10_000;

/**
 * Makes an HTTP server for a request handler; it does not listen yet. If the handler throws or rejects, the request is
 * answered with a 500; if its answer has started, the connection is cut.
 *
 * The requests of one connection are answered one at a time, in order: the handler gets a request when the answer to the one
 * before it has left.
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
  const monitor = new ConnectionMonitor(connections, { headersTimeout, idleTimeout, minBodyRate }, refusals, unsent);
  let running = 0;
  let draining = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = connections.get(socket);
    // The last answer of a connection may leave while Node still parses the segment, which may hold another request.
    if (connection?.state !== 'open' || socket.writableEnded) return;
    if (all.waiting >= PIPELINED_MAX && connection.isWaiting) {
      refusals.cut(connection, tooManyPipelined());
      return;
    }
    if (draining) keepOpenAfter(connection.latest);
    connection.requestCount++;
    const error = requestError(request) ?? requestLineError(connection, request);
    if (error === undefined) {
      if (request.headers.upgrade !== undefined) ignoreUpgrade(connection, response);
      connection.inTurn(() => void run(connection, request, response), response);
    } else refusals.request(connection, response, error);
  }

  /** Checks only the first request of a connection: the check takes a microsecond, and a faulty client shows at once. */
  function requestLineError(connection: Connection, request: IncomingMessage): RefusalError | undefined {
    return connection.requestCount === 1 && hasMalformedRequestLine(request) ? notHttp() : undefined;
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
      // If the server has refused the request, or the client has left, reading the body rejects with that error.
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
    // After CONNECT, Node no longer listens for errors of the connection, and an error would end the process.
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
    // From here on, Node does not resume sending an answer that is still due.
    socket.on('drain', () => connection.current?.emit('drain'));
    refusals.connect(connection, request);
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, stream) => {
    const connection = connections.get(stream as Socket);
    const error = parserError(cause, connection?.latest?.req.complete === false);
    if (connection === undefined || error === undefined) stream.destroy();
    else if (cause.code === REQUEST_TIMEOUT_CODE && connection.isWaiting) {
      monitor.refuseUnlessArrived(connection, error);
    } else refusals.unreadable(connection, error);
  });

  return {
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      monitor.start();
      return server.address() as AddressInfo;
    },
    get requestsInFlight() {
      return running + all.waiting;
    },
    async drain(grace) {
      draining = true;
      await drain(server, connections, monitor, grace);
    },
  };
}
