import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/server/http-server.js';
import type { Answer } from '../../../support/answer.js';
import { inMemory } from '../../../support/in-memory-interface.js';
import { isListening } from '../../../support/is-listening.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { onConnection, RawConnection } from '../../../support/raw-connection.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { drip, getBytes } from './serving.js';

describe('createHttpServer', () => {
  let server: HttpServer;
  let port: number;
  let answerReady: (ready: boolean) => void;
  let silentAnswer: Promise<Answer>;

  async function listen(options?: HttpServerOptions): Promise<void> {
    const isReady = async () => new Promise<boolean>((resolve) => (answerReady = resolve));
    await serve(createHttpServer(createApp(inMemory({ isReady })).callback(), options));
  }

  /** Listens with another server. */
  async function serve(other: HttpServer): Promise<void> {
    server = other;
    port = await listenOnFreePort(other);
  }

  const open = async (): Promise<RawConnection> => RawConnection.open(port);

  // The silence of 10 s lasts beside the other tests.
  before(async () => {
    await listen();
    silentAnswer = talk('');
  });

  beforeEach(async () => listen());

  /** The answer to these bytes, after which the server closes the connection. */
  async function talk(bytes: string): Promise<Answer> {
    return onConnection(port, async (connection) => connection.askLast(bytes));
  }

  it('serves a request that arrives behind one in flight while it drains, and closes after the last', async () => {
    const [busy, witness] = [await open(), await open()];
    busy.send(getBytes('/readyz'));
    await witness.ask(getBytes('/livez'));
    const drained = server.drain(600_000);
    busy.send(getBytes('/livez'));
    await witness.ask(getBytes('/livez'));
    answerReady(true);
    expect(await busy.receive()).to.include({ status: 200, isLast: false });
    expect(await busy.receive()).to.include({ status: 200, isLast: true });
    expect(await busy.finished()).to.equal('');
    await drained;
  });

  it('serves a request on a connection that was idle when it began to drain, and closes after it', async () => {
    const [busy, idle] = [await open(), await open()];
    busy.send(getBytes('/readyz'));
    await until(() => server.requestsInFlight === 1);
    await idle.ask(getBytes('/livez'));
    const drained = server.drain(600_000);
    expect(await idle.ask(getBytes('/livez'))).to.include({ status: 200, isLast: true });
    expect(await idle.finished()).to.equal('');
    answerReady(true);
    await busy.receive();
    await drained;
  });

  it('waits for a handler while it drains, and closes a connection that is idle for longer than the grace', async () => {
    const [busy, idle] = [await open(), await open()];
    await idle.ask(getBytes('/livez'));
    busy.send(getBytes('/readyz'));
    await until(() => server.requestsInFlight === 1);
    const drained = server.drain(50);
    expect(await idle.finished()).to.equal('');
    answerReady(true);
    expect(await busy.receive()).to.include({ status: 200, isLast: true });
    await drained;
  });

  it('closes a connection that was never used without an answer while it drains', async () => {
    const connection = await open();
    await setTimeout(1100);
    // Longer than the time to the next check of the time-outs, which the connection has exceeded by then.
    await server.drain(1050);
    expect(await connection.finished()).to.equal('');
  });

  it('answers every request that was pipelined before it drains, and closes after the last', async () => {
    const connection = await open();
    connection.send(getBytes('/readyz') + getBytes('/livez').repeat(3));
    await until(() => server.requestsInFlight === 4);
    const drained = server.drain(600_000);
    answerReady(true);
    for (const isLast of [false, false, false, true]) {
      expect(await connection.receive()).to.include({ status: 200, isLast });
    }
    expect(await connection.finished()).to.equal('');
    await drained;
  });

  it('sends no body if it refuses a HEAD', async () => {
    const connection = await open();
    const answer = await connection.askLast('HEAD / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', { head: true });
    expect(answer.status).to.equal(400);
  });

  it('logs no error if the operation ends after its request was refused with 408', async () => {
    const errors: object[] = [];
    await listen({ requestTimeout: 500, headersTimeout: 500, log: { error: (fields) => errors.push(fields) } });
    await onConnection(port, async (connection) => {
      const refused = await connection.ask('GET /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      expect(refused.status).to.equal(408);
      answerReady(true);
      expect(await connection.finished()).to.equal('');
    });
    expect(errors).to.deep.equal([]);
  });

  it('sends one answer, and logs nothing, if the handler writes to its response after a 408', async () => {
    const errors: object[] = [];
    let isOver = false;
    const handler: RequestHandler = async (_request, response) => {
      await new Promise<void>((resolve) => (answerReady = () => resolve()));
      response.writeHead(200, { 'Content-Length': 4 }).write('late');
      response.end();
      isOver = true;
    };
    const log = { error: (fields: object) => errors.push(fields) };
    await serve(createHttpServer(handler, { requestTimeout: 500, headersTimeout: 500, log }));
    await onConnection(port, async (connection) => {
      const refused = await connection.ask('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      expect(refused.status).to.equal(408);
      answerReady(true);
      await until(() => isOver);
      expect(await connection.finished()).to.equal('');
    });
    expect(errors).to.deep.equal([]);
  });

  for (const thrown of [null, undefined, 'a text'] as unknown[]) {
    it(`logs a handler that throws ${String(thrown)}, and answers 500`, async () => {
      const errors: unknown[] = [];
      const handler = (): never => {
        throw thrown as Error;
      };
      await serve(createHttpServer(handler, { log: { error: (...logged) => errors.push(logged) } }));
      expect((await talk(getBytes('/', 'Connection: close'))).status).to.equal(500);
      expect(errors).to.deep.equal([[{ err: thrown }, 'the request handler failed']]);
    });
  }

  it('answers 500, without a reset, if the handler fails while the client sends 5 MB', async () => {
    const handler: RequestHandler = async () => Promise.reject(new Error('broken'));
    await serve(createHttpServer(handler, { log: { error: () => undefined } }));
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n';
    expect((await talk(head + 'x'.repeat(5_000_000))).status).to.equal(500);
  });

  it('answers 500 without the header fields that the handler had set before it failed', async () => {
    const handler: RequestHandler = (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      throw new Error('broken');
    };
    await serve(createHttpServer(handler, { log: { error: () => undefined } }));
    const answer = await talk('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer.header('Content-Encoding')).to.equal(undefined);
    expect(answer.json).to.include({ code: 'internal_error', status: 500 });
  });

  it('cuts the connection, and logs why, if the handler fails within its answer', async () => {
    const errors: object[] = [];
    const err = new Error('broken');
    const handler: RequestHandler = async (_request, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('half');
      throw err;
    };
    await serve(createHttpServer(handler, { log: { error: (fields) => errors.push(fields) } }));
    const connection = await open();
    const answer = await rejectionOf(connection.ask(getBytes('/')));
    expect(String(answer)).not.to.include('500 Internal Server Error');
    expect(errors).to.deep.equal([{ err }]);
  });

  it('keeps the connection, and sends nothing more, if the handler fails after its answer', async () => {
    const errors: object[] = [];
    const handler: RequestHandler = async (_request, response) => {
      response.setHeader('Content-Length', 0).end();
      await new Promise<void>((resolve) => (answerReady = () => resolve()));
      throw new Error('broken');
    };
    await serve(createHttpServer(handler, { log: { error: (fields) => errors.push(fields) } }));
    const connection = await open();
    expect((await connection.ask(getBytes('/'))).status).to.equal(200);
    answerReady(true);
    await until(() => errors.length === 1);
    expect((await connection.ask(getBytes('/'))).status).to.equal(200);
  });

  it('answers 500, and nothing behind it, if the handler fails while garbage waits behind its request', async () => {
    let fail = (): void => undefined;
    const handler: RequestHandler = async () =>
      new Promise((_resolve, reject) => (fail = () => reject(new Error('broken'))));
    await serve(createHttpServer(handler, { log: { error: () => undefined } }));
    const connection = await open();
    connection.send(`${getBytes('/')}garbage\r\n\r\n`);
    await until(() => server.requestsInFlight === 1);
    fail();
    expect((await connection.receive()).status).to.equal(500);
    expect(await connection.finished()).to.equal('');
  });

  it('keeps running after a client has reset its connection behind a CONNECT', async () => {
    const connection = await open();
    await connection.ask('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    connection.reset();
    await connection.closed;
    for (let i = 0; i < 2; i++) {
      expect((await talk(getBytes('/livez', 'Connection: close'))).status).to.equal(200);
    }
  });

  it('sends a slow reader its whole answer while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    let hasBegun = false;
    const answer: RequestHandler = (_request, response) => {
      response.end(body);
      hasBegun = true;
    };
    await serve(createHttpServer(answer));
    const connection = await open();
    connection.stopReading();
    connection.send(getBytes('/', 'Connection: close'));
    await until(() => hasBegun);
    const drained = server.drain(1000);
    // So slowly that the whole takes longer than the grace.
    expect(await connection.readSlowly()).to.be.greaterThan(body.length);
    await drained;
  });

  it('counts the unanswered requests, including those that wait behind others', async () => {
    (await open()).send(getBytes('/readyz').repeat(2));
    await until(() => server.requestsInFlight === 2);
    answerReady(true);
    await until(() => server.requestsInFlight === 1);
    await until(() => {
      answerReady(true);
      return server.requestsInFlight === 0;
    });
  });

  it('no longer counts requests that wait once their connection is closed', async () => {
    const counts: number[] = [];
    const answers: (() => void)[] = [];
    const handler: RequestHandler = async ({ url }, response) => {
      counts.push(server.requestsInFlight);
      if (url === '/due') await new Promise<void>((resolve) => answers.push(resolve));
      response.end();
    };
    await serve(createHttpServer(handler));
    const connection = await open();
    connection.send(getBytes('/due').repeat(3));
    await until(() => server.requestsInFlight === 3);
    connection.reset();
    await connection.closed;
    answers[0]?.();
    await until(() => server.requestsInFlight <= 0);
    const other = await open();
    for (let i = 0; i < 3; i++) await other.ask(getBytes('/'));
    expect(counts.at(-1)).to.equal(1);
  });

  it('cuts a client that reads nothing of its answer while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    const answer: RequestHandler = ({ url }, response) => response.end(url === '/' ? body : '');
    await serve(createHttpServer(answer, { idleTimeout: 600_000 }));
    await onConnection(port, async (connection) => {
      connection.stopReading();
      await connection.deliver(getBytes('/', 'Connection: close'));
      await talk(getBytes('/livez', 'Connection: close'));
      await server.drain(100);
      connection.startReading();
      const reading = connection.receive().then(
        () => 'whole',
        () => 'cut',
      );
      expect(await reading).to.equal('cut');
    });
  });

  describe('while it drains, even if the handler and the limits allow more time', () => {
    const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n';
    /** On a busy machine, the drops may be further apart than a shorter grace, which then ends the connection for its silence. */
    const DRIP_GRACE = 1000;

    /** Begins to drain once this request has reached the handler, and resolves when the connection is closed. */
    async function closeIn(
      handler: RequestHandler,
      first: string,
      then: (connection: RawConnection) => void = () => undefined,
      grace = 100,
    ): Promise<void> {
      let count = 0;
      await serve(
        createHttpServer(
          (request, response) => {
            count++;
            return handler(request, response);
          },
          { headersTimeout: 600_000, requestTimeout: 600_000 },
        ),
      );
      const connection = await open();
      connection.send(first);
      await until(() => count === 1);
      const drained = server.drain(grace);
      then(connection);
      await connection.closed;
      await drained;
    }

    it('answers 408 to a header section that comes in byte by byte, and closes the connection', async () => {
      const statuses: number[] = [];
      await closeIn(
        (_request, response) => void response.setHeader('Content-Length', 0).end(),
        getBytes('/'),
        (connection) => {
          connection.send('GET / HTTP/1.1\r\nX: ');
          drip(connection, 'x');
          for (let i = 0; i < 2; i++) void connection.receive().then(({ status }) => statuses.push(status));
        },
        DRIP_GRACE,
      );
      expect(statuses).to.deep.equal([200, 408]);
    });

    it('closes a connection whose answer had begun before, and kept it open', async () => {
      let end = (): void => undefined;
      await closeIn(
        (_request, response) => {
          response.writeHead(200, { 'Content-Length': 2 }).write('h');
          end = () => void response.end('i');
        },
        getBytes('/'),
        () => end(),
      );
    });

    it('closes a connection whose answer stalls', async () => {
      await closeIn((_request, response) => void response.write('begin'), getBytes('/'));
    });

    it('closes a connection whose request stalls after its answer', async () => {
      await closeIn((_request, response) => void response.end(), POST);
    });

    it('closes a connection whose body drips in after its answer', async () => {
      await closeIn(
        (_request, response) => void response.end(),
        POST,
        (connection) => drip(connection, 'x'),
        DRIP_GRACE,
      );
    });

    it('closes a connection whose body drips in after an answer that was given while it drained', async () => {
      let answer = (): void => undefined;
      await closeIn(
        async (request, response) => {
          await new Promise<void>((resolve) => (answer = resolve));
          response.writeHead(200, { 'Content-Length': 0 }).flushHeaders();
          request.resume().once('close', () => response.end());
        },
        POST,
        (connection) => {
          drip(connection, 'x');
          answer();
        },
        DRIP_GRACE,
      );
    });

    it('waits for a body that its client pauses for longer than the grace', async () => {
      let size = 0;
      await serve(
        createHttpServer(async (request, response) => {
          for await (const chunk of request) size += (chunk as Buffer).length;
          response.setHeader('Content-Length', 0).end();
        }),
      );
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
    const answer = await (await open()).ask(getBytes('/livez'));
    expect(answer.header('Keep-Alive')).to.equal('timeout=65');
  });

  // In a block of its own, because Mocha runs the other blocks first.
  describe('with the default time-outs', () => {
    it('answers 408 to a connection that stays silent', async () => {
      const answer = await silentAnswer;
      expect(answer).to.include({ status: 408, isLast: true });
      expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      expect(answer.json).to.include({ code: 'request_timeout' });
    });
  });
});
