import { expect } from 'chai';
import { Server, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/server/http-server.js';
import type { ReceivedResponse } from '../../../support/received-response.js';
import { isListening } from '../../../support/is-listening.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { onConnection, RawConnection } from '../../../support/raw-connection.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { drip, getBytes } from './serving.js';

const POST_9 = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';

describe('createHttpServer', () => {
  let server: HttpServer;
  let port: number;
  /** What the server has logged. */
  let logged: unknown[][];
  /** What comes on a connection on which nothing is ever sent, and what the server reports of it. */
  let unused: Promise<string>;
  const rejections: unknown[] = [];
  /** Lets go on what {@link isDue} holds. */
  let goOn = (): void => undefined;
  const isDue = async (): Promise<void> => new Promise((resolve) => (goOn = resolve));

  /** Listens with another server, whose handler answers `/due` when the test says so, and all others immediately. */
  async function serve(
    handler: RequestHandler = async ({ url }, response) => {
      if (url === '/due') await isDue();
      response.setHeader('Content-Length', 0).end();
    },
    options: HttpServerOptions = {},
  ): Promise<void> {
    logged = [];
    server = createHttpServer(handler, { log: { error: (...line) => logged.push(line) }, ...options });
    port = await listenOnFreePort(server);
  }

  const open = async (): Promise<RawConnection> => RawConnection.open(port);

  // The silence of 10 s lasts beside the other tests.
  before(async () => {
    await serve(undefined, { onRejected: (rejection) => rejections.push(rejection) });
    unused = (await open()).finished();
  });

  beforeEach(async () => serve());

  /** The response to these bytes, after which the server closes the connection. */
  async function talk(bytes: string): Promise<ReceivedResponse> {
    return onConnection(port, async (connection) => connection.askLast(bytes));
  }

  it('serves a request that arrives behind one in flight while it drains, and closes after the last', async () => {
    const [busy, witness] = [await open(), await open()];
    busy.send(getBytes('/due'));
    await witness.ask(getBytes('/'));
    const drained = server.drain(600_000);
    busy.send(getBytes('/'));
    await witness.ask(getBytes('/'));
    goOn();
    expect(await busy.receive()).to.include({ status: 200, isLast: false });
    expect(await busy.receive()).to.include({ status: 200, isLast: true });
    expect(await busy.finished()).to.equal('');
    await drained;
  });

  it('serves a request on a connection that was idle when it began to drain, and closes after it', async () => {
    const [busy, idle] = [await open(), await open()];
    busy.send(getBytes('/due'));
    await until(() => server.requestsInFlight === 1);
    await idle.ask(getBytes('/'));
    const drained = server.drain(600_000);
    expect(await idle.ask(getBytes('/'))).to.include({ status: 200, isLast: true });
    expect(await idle.finished()).to.equal('');
    goOn();
    await busy.receive();
    await drained;
  });

  it('serves a request while it drains on a connection that got a response before the body had arrived', async () => {
    const [idle, witness] = [await open(), await open()];
    await idle.ask(POST_9);
    await idle.deliver('too late!');
    await witness.ask(getBytes('/'));
    const drained = server.drain(600_000);
    for (const connection of [idle, witness]) {
      expect(await connection.ask(getBytes('/'))).to.include({ status: 200, isLast: true });
    }
    await drained;
  });

  it('waits for a handler while it drains, and closes a connection that is idle for longer than the grace', async () => {
    const [busy, idle] = [await open(), await open()];
    await idle.ask(getBytes('/'));
    busy.send(getBytes('/due'));
    await until(() => server.requestsInFlight === 1);
    const drained = server.drain(50);
    expect(await idle.finished()).to.equal('');
    goOn();
    expect(await busy.receive()).to.include({ status: 200, isLast: true });
    await drained;
  });

  it('closes an idle connection immediately if there is no grace', async () => {
    const [idle, unused] = [await open(), await open()];
    await idle.ask(getBytes('/'));
    const drained = server.drain(0);
    expect(await idle.finished()).to.equal('');
    expect(await unused.finished()).to.equal('');
    await drained;
  });

  it('closes a connection that was never used without a response while it drains', async () => {
    await serve(undefined, { keepAliveTimeout: 1100 });
    const [unused, idle] = [await open(), await open()];
    await idle.ask(getBytes('/'));
    await idle.closed;
    // By now, the time for a header section, which is the grace from now on, has passed.
    await server.drain(1050);
    expect(await unused.finished()).to.equal('');
  });

  it('answers the requests that were pipelined before it drains, and closes after the last', async () => {
    const connection = await open();
    connection.send(getBytes('/due') + getBytes('/'));
    await until(() => server.requestsInFlight === 1);
    const drained = server.drain(600_000);
    goOn();
    for (const isLast of [false, true]) expect(await connection.receive()).to.include({ status: 200, isLast });
    expect(await connection.finished()).to.equal('');
    await drained;
  });

  it('sends no body if it refuses a HEAD', async () => {
    const connection = await open();
    const response = await connection.askLast('HEAD / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', { head: true });
    expect(response.status).to.equal(400);
  });

  it('sends one response, and logs nothing, if the handler answers after a 408', async () => {
    let isOver = false;
    const handler: RequestHandler = async (_request, response) => {
      await isDue();
      response.writeHead(200, { 'Content-Length': 4 }).write('late');
      response.end();
      isOver = true;
    };
    await serve(handler, { requestTimeout: 500, headersTimeout: 500 });
    const connection = await open();
    expect((await connection.ask(POST_9)).status).to.equal(408);
    goOn();
    await until(() => isOver);
    expect(await connection.finished()).to.equal('');
    expect(logged).to.deep.equal([]);
  });

  it('gives a handler nothing of a body that arrives after its 408', async () => {
    let end: Promise<unknown> | undefined;
    await serve((request) => (end = rejectionOf(text(request))), { requestTimeout: 500, headersTimeout: 500 });
    const connection = await open();
    expect((await connection.ask(POST_9)).status).to.equal(408);
    connection.send('too late!');
    expect(await end).to.include({ code: 'request_timeout' });
  });

  it('logs a handler that throws, even null, and answers 500', async () => {
    await serve(() => {
      throw null as unknown as Error;
    });
    expect((await talk(getBytes('/', 'Connection: close'))).status).to.equal(500);
    expect(logged).to.deep.equal([[{ err: null }, 'the request handler failed']]);
  });

  it('answers 500, without a reset, if the handler fails while the client sends 5 MB', async () => {
    await serve(async () => Promise.reject(new Error('broken')));
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n';
    expect((await talk(head + 'x'.repeat(5_000_000))).status).to.equal(500);
  });

  it('answers 500 without the header fields that the handler had set before it failed', async () => {
    await serve((_request, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      throw new Error('broken');
    });
    const received = await talk(getBytes('/'));
    expect(received.header('Content-Encoding')).to.equal(undefined);
    expect(received.json).to.include({ code: 'internal_error', status: 500 });
  });

  it('cuts the connection, and logs why, if the handler fails within its response', async () => {
    const err = new Error('broken');
    await serve(async (_request, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('half');
      throw err;
    });
    const outcome = await rejectionOf(talk(getBytes('/')));
    expect(String(outcome)).not.to.include('500 Internal Server Error');
    expect(logged).to.deep.equal([[{ err }, 'the request handler failed']]);
  });

  it('keeps the connection, and sends nothing more, if the handler fails after its response', async () => {
    await serve(async (_request, response) => {
      response.setHeader('Content-Length', 0).end();
      await isDue();
      throw new Error('broken');
    });
    const connection = await open();
    expect((await connection.ask(getBytes('/'))).status).to.equal(200);
    goOn();
    await until(() => logged.length === 1);
    expect((await connection.ask(getBytes('/'))).status).to.equal(200);
  });

  it('emits a request with Expect as a request, as agents that trace requests need it', async () => {
    const { emit } = Server.prototype;
    const targets: unknown[] = [];
    Server.prototype.emit = function (this: Server, event: string, ...rest: unknown[]) {
      if (event === 'request') targets.push((rest[0] as IncomingMessage).url);
      return Reflect.apply(emit, this, [event, ...rest]) as boolean;
    };
    try {
      for (const expectation of ['100-continue', 'a-miracle']) {
        const fields = [`Expect: ${expectation}`, 'Connection: close'];
        expect((await talk(getBytes(`/${expectation}`, ...fields))).status).to.equal(200);
      }
    } finally {
      Server.prototype.emit = emit;
    }
    expect(targets).to.deep.equal(['/100-continue', '/a-miracle']);
  });

  it('keeps running after a client has reset its connection behind a CONNECT', async () => {
    const connection = await open();
    await connection.ask('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    connection.reset();
    await connection.closed;
    for (let i = 0; i < 2; i++) {
      expect((await talk(getBytes('/', 'Connection: close'))).status).to.equal(200);
    }
  });

  it('sends a slow reader its whole response while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    let hasBegun = false;
    await serve((_request, response) => {
      response.end(body);
      hasBegun = true;
    });
    const connection = await open();
    connection.stopReading();
    connection.send(getBytes('/', 'Connection: close'));
    await until(() => hasBegun);
    const drained = server.drain(2500);
    // So slowly that the whole takes longer than the grace.
    expect(await connection.readSlowly()).to.be.greaterThan(body.length);
    await drained;
  });

  it('cuts a client that reads nothing of its response while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    await serve(({ url }, response) => response.end(url === '/large' ? body : ''), { idleTimeout: 600_000 });
    const connection = await open();
    connection.stopReading();
    await connection.deliver(getBytes('/large', 'Connection: close'));
    await talk(getBytes('/', 'Connection: close'));
    await server.drain(100);
    connection.startReading();
    expect(await rejectionOf(connection.receive())).to.be.instanceOf(Error);
  });

  describe('while it drains, even if the limits allow more time', () => {
    const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n';

    it('answers 408 to a header section that drips in, and closes connections whose bodies drip in behind answers', async () => {
      await serve(undefined, { headersTimeout: 600_000, requestTimeout: 600_000 });
      const [header, answered, due] = [await open(), await open(), await open()];
      await header.ask(getBytes('/'));
      answered.send(POST.replace('/', '/body'));
      await answered.receive();
      due.send(POST.replace('/', '/due'));
      await until(() => server.requestsInFlight === 1);
      header.send('GET / HTTP/1.1\r\nX: ');
      for (const connection of [header, answered, due]) drip(connection, 'x');
      // So long that no machine is too busy for a drop: then, the silence would end the connections.
      const drained = server.drain(5000);
      goOn();
      expect(await header.receive()).to.include({ status: 408, isLast: true });
      for (const connection of [header, answered, due]) await connection.closed;
      await drained;
    });

    it('closes a connection whose response had begun before, and kept it open', async () => {
      let end: (() => void) | undefined;
      await serve((_request, response) => {
        response.writeHead(200, { 'Content-Length': 2 }).write('h');
        end = () => void response.end('i');
      });
      const connection = await open();
      connection.send(getBytes('/'));
      await until(() => end !== undefined);
      const drained = server.drain(100);
      end?.();
      await connection.closed;
      await drained;
    });

    it('waits for a body that its client pauses for longer than the grace', async () => {
      let size = 0;
      await serve(async (request, response) => {
        for await (const chunk of request) size += (chunk as Buffer).length;
        response.setHeader('Content-Length', 0).end();
      });
      const [connection, idle] = [await open(), await open()];
      connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nh');
      await until(() => size === 1);
      const drained = server.drain(100);
      await idle.closed;
      connection.send('i');
      expect(await connection.receive()).to.include({ status: 200, isLast: true });
      await drained;
    });
  });

  it('drains immediately if there is no connection, and no longer listens', async () => {
    await server.drain(600_000);
    expect(await isListening(port)).to.equal(false);
  });

  it('tells clients that it keeps idle connections for 65 seconds', async () => {
    const response = await (await open()).ask(getBytes('/'));
    expect(response.header('Keep-Alive')).to.equal('timeout=65');
  });

  // In a block of its own, because Mocha runs the other blocks first.
  describe('with the default time-outs', () => {
    it('closes a connection on which nothing was ever sent, without a response or a report', async () => {
      expect(await unused).to.equal('');
      expect(rejections).to.deep.equal([]);
    });
  });
});
