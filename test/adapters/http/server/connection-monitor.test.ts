import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/server/http-server.js';
import type { Refusal } from '../../../../src/adapters/http/server/refusals.js';
import { unsentBytes } from '../../../../src/adapters/http/server/socket-bytes.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import type { RawConnection } from '../../../support/raw-connection.js';
import { until } from '../../../support/until.js';
import { getBytes, open } from './serving.js';

const PERIOD = 200;
/** With these, the monitor looks at all connections each {@link PERIOD}. */
const LIMITS = { idleTimeout: 1000, minBodyRate: { bytesPerSecond: 1000, grace: 1000 } };
/** More than the operating system takes for a client that does not read. */
const LARGE = Buffer.alloc(30_000_000);

describe('ConnectionMonitor', () => {
  let refusals: Refusal[];
  let requests: IncomingMessage[];
  let responses: ServerResponse[];
  let server: HttpServer;

  // Time goes on only as a test says.
  beforeEach(() => {
    [refusals, requests, responses] = [[], [], []];
    mock.timers.enable({ apis: ['setInterval'] });
  });

  afterEach(() => mock.timers.reset());

  /** Connects to a server that leaves its answers to the test. */
  async function connect(
    options: HttpServerOptions,
    handler: RequestHandler = () => undefined,
  ): Promise<RawConnection> {
    const noted: RequestHandler = (request, response) => {
      requests.push(request.on('error', () => undefined));
      responses.push(response);
      return handler(request, response);
    };
    server = createHttpServer(noted, { onRefused: (refusal) => refusals.push(refusal), ...options });
    return open(await listenOnFreePort(server));
  }

  const limits = (): readonly unknown[] => refusals.map(({ limit }) => limit);

  /** Lets so many looks happen. */
  function look(times: number): void {
    for (let i = 0; i < times; i++) mock.timers.tick(PERIOD);
  }

  async function response(index = 0): Promise<ServerResponse & { readonly socket: Socket }> {
    await until(() => responses.length > index);
    return responses[index] as ServerResponse & { readonly socket: Socket };
  }

  /** Resolves once the server has read all of these bytes of a connection. */
  async function read({ socket }: { readonly socket: Socket }, bytes: number): Promise<void> {
    await until(() => socket.bytesRead === bytes);
  }

  /** Resolves once the operating system takes nothing more of what was written: several times in a row. */
  async function stuffed({ socket }: { readonly socket: Socket }): Promise<void> {
    const unsent: number[] = [];
    await until(() => {
      unsent.push(unsentBytes(socket));
      return unsent.length >= 5 && new Set(unsent.slice(-5)).size === 1;
    });
  }

  /** Expects the server to end a connection at the last of so many looks, and not before. */
  function expectEndAt(looks: number, socket: Socket): void {
    look(looks - 1);
    expect(socket.writableEnded).to.equal(false);
    look(1);
    expect(socket.writableEnded).to.equal(true);
  }

  /** Expects a refusal for this limit at the last of so many looks, and none before. */
  function expectRefusalAt(looks: number, limit: string): void {
    look(looks - 1);
    expect(limits()).to.deep.equal([]);
    look(1);
    expect(limits()).to.deep.equal([limit]);
  }

  describe('looks at all connections', () => {
    /** The time until the first look, found by an answer that goes on: only the looks count it. */
    async function firstLook(options: HttpServerOptions): Promise<number> {
      const connection = await connect({ ...options, maxUnsent: 1 });
      connection.stopReading();
      connection.send(getBytes('/'));
      const answer = await response(responses.length);
      answer.write(LARGE);
      await stuffed(answer);
      let time = 0;
      for (; refusals.length === 0 && time < 10_000; time++) mock.timers.tick(1);
      refusals = [];
      return time;
    }

    it('a fifth of its shortest limit apart', async () => {
      expect(await firstLook({ headersTimeout: 400, requestTimeout: 500 })).to.equal(80);
      expect(await firstLook({ idleTimeout: 401 })).to.equal(81);
      expect(await firstLook({ minBodyRate: { bytesPerSecond: 1, grace: 402 } })).to.equal(81);
    });

    it('a second apart at most', async () => {
      expect(await firstLook({ headersTimeout: 9000, minBodyRate: { bytesPerSecond: 1, grace: 9000 } })).to.equal(1000);
    });

    it('more often if it drains with a shorter grace, and never less often', async () => {
      const connection = await connect({ ...LIMITS, maxUnsent: 1 });
      const drained = server.drain(26);
      connection.stopReading();
      connection.send(getBytes('/'));
      const answer = await response();
      answer.write(LARGE);
      await stuffed(answer);
      mock.timers.tick(5);
      expect(limits()).to.deep.equal([]);
      mock.timers.tick(1);
      expect(limits()).to.deep.equal(['unsent']);
      await drained;
    });
  });

  describe('of a client that does not read', () => {
    it('cuts the connection once it was silent at as many looks as its time-out has', async () => {
      const connection = await connect(LIMITS);
      connection.stopReading();
      connection.send(getBytes('/'));
      const answer = await response();
      const { socket } = answer;
      answer.end(LARGE);
      await stuffed(answer);
      look(1 + 4);
      expect([limits(), socket.destroyed]).to.deep.equal([[], false]);
      look(1);
      expect([limits(), socket.destroyed]).to.deep.equal([['idle'], true]);
    });

    it('begins to count anew once it has read something', async () => {
      const connection = await connect(LIMITS);
      connection.stopReading();
      connection.send(getBytes('/'));
      const answer = await response();
      const { socket } = answer;
      answer.end(LARGE);
      await stuffed({ socket });
      look(1 + 4);
      const before = unsentBytes(socket);
      connection.startReading();
      await until(() => unsentBytes(socket) < before);
      connection.stopReading();
      await stuffed({ socket });
      expectRefusalAt(1 + 5, 'idle');
    });

    it('counts nothing once the answer has left, although the body of the request never comes', async () => {
      const slow = { bytesPerSecond: 1, grace: 1_000_000 };
      const connection = await connect({ ...LIMITS, minBodyRate: slow }, (request, answer) => {
        request.resume();
        answer.end('all');
      });
      connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      await connection.receive();
      look(20);
      expect([limits(), requests[0]?.socket.destroyed]).to.deep.equal([[], false]);
    });

    it('counts nothing while the server has nothing to send', async () => {
      const connection = await connect(LIMITS);
      connection.send(getBytes('/'));
      await response();
      look(20);
      expect(limits()).to.deep.equal([]);
    });
  });

  describe('of a body', () => {
    const OF_BODY = { ...LIMITS, idleTimeout: 600_000 };
    const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';

    /** Sends the head of a request, whose handler reads the body, and waits until the first look. */
    async function begin(options: HttpServerOptions = OF_BODY): Promise<RawConnection> {
      const connection = await connect(options, (request) => void request.resume());
      connection.send(HEAD);
      await response();
      look(1);
      return connection;
    }

    it('refuses it at the end of the grace if a byte is missing', async () => {
      const connection = await begin();
      connection.send('x'.repeat(999));
      await read(await response(), HEAD.length + 999);
      expectRefusalAt(5, 'body_rate');
    });

    it('accepts it at exactly the rate, on average since it began', async () => {
      const connection = await begin();
      for (const seconds of [1, 2]) {
        connection.send('x'.repeat(1000));
        await read(await response(), HEAD.length + 1000 * seconds);
        look(5);
      }
      expect(limits()).to.deep.equal([]);
      connection.send('x'.repeat(199));
      await read(await response(), HEAD.length + 2199);
      look(1);
      expect(limits()).to.deep.equal(['body_rate']);
    });

    it('does not count the bytes and the time before the handler reads it', async () => {
      const connection = await connect(OF_BODY);
      connection.send(`${HEAD}${'x'.repeat(5000)}`);
      const { socket } = await response();
      await read({ socket }, HEAD.length + 5000);
      look(20);
      requests[0]?.resume();
      expectRefusalAt(5, 'body_rate');
    });

    it('counts each body of a connection by itself', async () => {
      const connection = await begin();
      connection.send('x'.repeat(1_000_000));
      await read(await response(), HEAD.length + 1_000_000);
      (await response()).end();
      await connection.receive();
      connection.send(HEAD);
      await response(1);
      expectRefusalAt(1 + 5, 'body_rate');
    });

    it('cuts a client that sends nothing of it for as long as its time-out, however slow it may be', async () => {
      const slow = { idleTimeout: 1000, minBodyRate: { bytesPerSecond: 1, grace: 1_000_000 } };
      const connection = await begin(slow);
      for (let i = 1; i <= 8; i++) {
        connection.send('x');
        await read(await response(), HEAD.length + i);
        look(1);
      }
      expectRefusalAt(5, 'idle');
      expect(await connection.finished()).to.equal('');
    });
  });

  describe('while it drains', () => {
    const GRACE = 1000;

    it('closes a connection once no request arrived at as many looks as the grace has', async () => {
      const connection = await connect(LIMITS, (_request, answer) => answer.end());
      await connection.ask(getBytes('/'));
      const { socket } = requests[0] as IncomingMessage;
      const drained = server.drain(GRACE);
      expectEndAt(1 + 5, socket);
      expect(await connection.finished()).to.equal('');
      await drained;
    });

    it('does not count the time before', async () => {
      const connection = await connect(LIMITS, (_request, answer) => void answer.write('begin'));
      connection.send(getBytes('/'));
      const answer = await response();
      await stuffed(answer);
      look(20);
      const drained = server.drain(GRACE);
      expectEndAt(5, answer.socket);
      await connection.closed;
      await drained;
    });

    it('closes one on which a request comes in piece by piece, and does not end', async () => {
      const connection = await connect(LIMITS, (_request, answer) => answer.end());
      await connection.ask(getBytes('/'));
      const { socket } = requests[0] as IncomingMessage;
      const drained = server.drain(GRACE);
      for (const [i, piece] of [...'GET /a'].entries()) {
        connection.send(piece);
        await read({ socket }, getBytes('/').length + i + 1);
        look(1);
      }
      expect(await connection.finished()).to.equal('');
      await drained;
    });

    it('begins to count anew when a part of an answer has gone out', async () => {
      const connection = await connect(LIMITS, (_request, answer) => void answer.write('begin'));
      connection.send(getBytes('/'));
      const answer = await response();
      const drained = server.drain(GRACE);
      for (let i = 0; i < 3; i++) {
        look(4);
        answer.write('more');
        await stuffed(answer);
      }
      expectEndAt(1 + 5, answer.socket);
      await connection.closed;
      await drained;
    });

    it('begins to count anew when a request has arrived', async () => {
      const connection = await connect(LIMITS, ({ url }, answer) => {
        if (url === '/') answer.end();
        // Nothing goes out before the body does.
        else answer.writeHead(200, { 'Content-Length': 4 });
      });
      await connection.ask(getBytes('/'));
      const drained = server.drain(GRACE);
      look(1 + 4);
      connection.send(getBytes('/late'));
      const answer = await response(1);
      look(4);
      answer.end('late');
      expect((await connection.receive()).text).to.equal('late');
      await drained;
    });

    it('waits for a handler that has not begun to answer', async () => {
      const connection = await connect(LIMITS);
      connection.send(getBytes('/'));
      const answer = await response();
      const drained = server.drain(GRACE);
      look(50);
      answer.end('late');
      expect((await connection.receive()).text).to.equal('late');
      await drained;
    });

    it('cuts one whose client reads nothing, instead of waiting for it', async () => {
      const connection = await connect({ ...LIMITS, idleTimeout: 600_000 });
      connection.stopReading();
      connection.send(getBytes('/'));
      const answer = await response();
      const { socket } = answer;
      answer.end(LARGE);
      await stuffed({ socket });
      const drained = server.drain(GRACE);
      look(1 + 5);
      expect(socket.destroyed).to.equal(true);
      await drained;
    });
  });
});
