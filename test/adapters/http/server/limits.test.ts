import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  createHttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../../../../src/adapters/http/server/http-server.js';
import { REJECTIONS, type Rejection, type RejectionError } from '../../../../src/adapters/http/server/rejections.js';
import { ERROR_STATUS } from '../../../../src/adapters/http/pipeline/errors.js';
import type { ReceivedResponse } from '../../../support/received-response.js';
import { startCommand } from '../../../support/command.js';
import type { RawConnection } from '../../../support/raw-connection.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { drip, getBytes, listen, open } from './serving.js';

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';

describe('the limits of createHttpServer', () => {
  let rejections: Rejection[];
  let sockets: Socket[];

  beforeEach(() => {
    rejections = [];
    sockets = [];
  });

  /** Answers immediately with as many bytes as the target says, without reading the body of the request. */
  function answer({ url = '', socket }: IncomingMessage, response: ServerResponse): void {
    sockets.push(socket);
    const body = Buffer.alloc(Number(url.slice(1)));
    response.writeHead(200, { 'Content-Length': body.length });
    response.end(body);
  }

  /** Answers once the body has arrived. */
  function receive(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => undefined);
    request.on('end', () => response.setHeader('Content-Length', 0).end()).resume();
  }

  /** Asks for small answers without reading, until one has to wait: the operating system accepts many before. */
  async function fillWithSmallAnswers(connection: RawConnection): Promise<void> {
    connection.stopReading();
    while ((sockets[0]?.writableLength ?? 0) === 0) {
      const count = sockets.length;
      connection.send(getBytes('/15000'));
      await until(() => sockets.length > count);
    }
  }

  const start = async (options: HttpServerOptions, handler: RequestHandler = answer): Promise<number> =>
    listen(handler, { onRejected: (rejection) => rejections.push(rejection), ...options });

  function expectRejection(answered: ReceivedResponse, { code, message, limit }: RejectionError): void {
    const status = ERROR_STATUS[code];
    expect(answered.json).to.deep.equal({ code, message, status });
    expect(answered).to.include({ status, isLast: true });
    expect(answered.header('Content-Type')).to.equal('application/json; charset=utf-8');
    expect(answered.header('X-Content-Type-Options')).to.equal('nosniff');
    expect(answered.header('Cache-Control')).to.equal('no-store');
    expect(Date.parse(answered.header('Date') ?? '')).to.be.greaterThan(0);
    expect(rejections).to.have.length(1);
    const requestId = answered.header('X-Request-Id');
    expect(rejections[0]).to.deep.equal({
      status,
      code,
      limit,
      reason: message,
      clientAddress: '127.0.0.1',
      requestId,
    });
  }

  describe('on connections', () => {
    it('close one beyond the limit without a response, and report it', async () => {
      const port = await start({ maxConnections: 1 });
      const first = await open(port);
      await first.ask(getBytes('/1'));
      const refused = await open(port);
      refused.send(getBytes('/1'));
      await refused.closed;
      expect(await rejectionOf(refused.receive())).to.be.instanceOf(Error);
      expect(sockets).to.have.length(1);
      const { code, message: reason, limit } = REJECTIONS.connections;
      const [clientAddress, requestId] = ['127.0.0.1', undefined];
      expect(rejections).to.deep.equal([{ status: 503, code, limit, reason, clientAddress, requestId }]);
      expect((await first.ask(getBytes('/1'))).status).to.equal(200);
    });

    it('accept another one once a refused client has had a second to read', async () => {
      const port = await start({ maxConnections: 1 });
      const refused = await open(port);
      refused.stopReading();
      refused.send('garbage\r\n\r\n');
      await until(async () => {
        const answered = (await open(port)).ask(getBytes('/1'));
        return answered.then(({ status }) => status === 200).catch(() => false);
      });
    });
  });

  const LIMITS = ['headersTimeout', 'requestTimeout', 'keepAliveTimeout', 'idleTimeout', 'maxConnections'];
  it('cannot have anything but positive integers', () => {
    for (const name of LIMITS) {
      for (const value of [0, 1.5]) {
        expect(() => createHttpServer(answer, { [name]: value }), String(value)).to.throw(TypeError, name);
      }
    }
  });

  it('cannot have a longer time for the header section than for the whole request', () => {
    const times = { headersTimeout: 2, requestTimeout: 1 };
    expect(() => createHttpServer(answer, times)).to.throw(TypeError, 'headersTimeout must not be longer');
  });

  describe('on responses that wait for their clients', () => {
    const MB = 1_000_000;

    /** Opens a connection that asks for so many bytes, and reads nothing once the server has written them. */
    async function askWithoutReading(port: number, bytes: number): Promise<RawConnection> {
      const connection = await open(port);
      const count = sockets.length;
      connection.stopReading();
      connection.send(getBytes(`/${bytes}`));
      await until(() => sockets.length > count);
      return connection;
    }

    it('cut the connection with the most bytes beyond 64 MiB, and send the others their responses', async () => {
      const port = await start({});
      const first = await askWithoutReading(port, 20 * MB);
      const largest = await askWithoutReading(port, 35 * MB);
      const last = await askWithoutReading(port, 25 * MB);
      // As soon as the response has been written, not at the next look at all connections.
      expect(rejections).to.have.length(1);
      expect(rejections[0]).to.include({ status: 503, code: 'overloaded', limit: 'unsent', requestId: undefined });
      for (const connection of [first, largest, last]) connection.startReading();
      expect((await first.receive()).body).to.have.length(20 * MB);
      expect((await last.receive()).body).to.have.length(25 * MB);
      expect(await rejectionOf(largest.receive())).to.be.instanceOf(Error);
    });

    it('count what handlers have written of unfinished responses, and cut as many as necessary', async () => {
      const responses: ServerResponse[] = [];
      const port = await start({}, ({ socket }, response) => {
        sockets.push(socket);
        responses.push(response);
      });
      for (let i = 0; i < 2; i++) await askWithoutReading(port, 0);
      for (const response of responses) response.write(Buffer.alloc(80 * MB));
      await until(() => rejections.length > 0);
      expect(rejections.map(({ limit }) => limit)).to.deep.equal(['unsent', 'unsent']);
    });

    it('do not count what clients have read in the meantime', async () => {
      const port = await start({});
      for (let i = 0; i < 2; i++) {
        const reader = await askWithoutReading(port, 50 * MB);
        reader.startReading();
        expect((await reader.receive()).body).to.have.length(50 * MB);
      }
    });

    it('count no connection that has just been cut', async () => {
      const due: (() => void)[] = [];
      const port = await start({}, async (...args) => {
        await new Promise<void>((resolve) => due.push(resolve));
        answer(...args);
      });
      const connections = [];
      for (const size of [80, 40, 30]) {
        const connection = await open(port);
        connection.stopReading();
        connection.send(getBytes(`/${size * MB}`));
        await until(() => due.length > connections.length);
        connections.push(connection);
      }
      for (const answerOne of due) answerOne();
      connections[2]?.startReading();
      expect((await connections[2]?.receive())?.body).to.have.length(30 * MB);
      expect(rejections).to.have.length(2);
    });

    it('read on once the client reads a response that goes on', async () => {
      const port = await start({}, (request, response) => {
        sockets.push(request.socket);
        response.setHeader('Content-Length', 20 * MB);
        request.on('data', (chunk) => response.write(chunk)).on('end', () => response.end());
      });
      const connection = await open(port);
      connection.stopReading();
      const half = 'x'.repeat(10 * MB);
      connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * MB}\r\n\r\n${half}`);
      await until(() => sockets[0]?.isPaused() === true);
      connection.startReading();
      connection.send(half);
      expect((await connection.receive()).body).to.have.length(20 * MB);
    });

    it('let the client send its next request once it has read a small one', async () => {
      const connection = await open(await start({}));
      await fillWithSmallAnswers(connection);
      connection.startReading();
      for (let left = sockets.length; left > 0; left--) await connection.receive();
      expect((await connection.ask(getBytes('/1'))).status).to.equal(200);
    });
  });

  describe('on the time of a body', () => {
    it('refuse one that arrives byte by byte with 408', async () => {
      const connection = await open(await start({ headersTimeout: 300, requestTimeout: 300 }, receive));
      connection.send(POST);
      drip(connection, 'x');
      expectRejection(await connection.receive(), REJECTIONS.time);
      expect(await connection.finished()).to.equal('');
    });

    it('end one that arrives byte by byte after its response, without a second response or a report', async () => {
      const connection = await open(await start({ headersTimeout: 300, requestTimeout: 300 }));
      connection.send(POST.replace('/', '/1'));
      drip(connection, 'x');
      expect((await connection.receive()).status).to.equal(200);
      expect(await connection.finished()).to.equal('');
      expect(rejections).to.deep.equal([]);
    });
  });

  describe('on silence', () => {
    const LARGE = getBytes('/50000000');

    /** Asks without reading, and resolves once the server has closed the connection. */
    async function ask(
      bytes: string,
      handler?: RequestHandler,
      andThen?: (connection: RawConnection) => void,
    ): Promise<void> {
      const connection = await open(await start({ idleTimeout: 300 }, handler));
      connection.stopReading();
      connection.send(bytes);
      await until(() => sockets.length > 0);
      andThen?.(connection);
      await once(sockets[0] as Socket, 'close');
    }

    /** Writes a large piece of a response that does not end, and small ones after it. */
    function writeOn({ socket }: IncomingMessage, response: ServerResponse): void {
      sockets.push(socket);
      response.write(Buffer.alloc(50_000_000));
      const writes = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(writes));
    }

    const keepSending = (connection: RawConnection): void => drip(connection, '\r\n');

    it('cut a client that reads nothing', async () => {
      await ask(LARGE);
      expect(rejections).to.have.lengthOf(1);
      expect(rejections[0]).to.include({ status: 408, code: 'request_timeout', limit: 'idle', requestId: undefined });
    });

    it('cut a client that reads nothing, but keeps sending', async () => ask(LARGE, answer, keepSending));

    it('cut a client that reads nothing of small responses, but keeps sending', async () => {
      // Longer than the time between two looks, each of which could begin the time anew.
      const connection = await open(await start({ idleTimeout: 1500 }));
      await fillWithSmallAnswers(connection);
      keepSending(connection);
      await once(sockets[0] as Socket, 'close');
      expect(rejections.map(({ limit }) => limit)).to.deep.equal(['idle']);
    });

    it('cut a client that reads nothing and keeps sending, although the handler keeps writing', async () =>
      ask(LARGE, writeOn, keepSending));

    it('cut a client that reads nothing, and has sent a CONNECT after its request', async () =>
      ask(`${LARGE.repeat(3)}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`));

    it('do not count the time that the handler takes', async () => {
      let finish: (() => void) | undefined;
      const port = await start({ idleTimeout: 300 }, (request, response) => {
        if (request.url === '/late') finish = () => response.end('late');
        else answer(request, response);
      });
      const connection = await open(port);
      connection.send(getBytes('/late'));
      await until(() => finish !== undefined);
      const silent = await open(port);
      silent.stopReading();
      silent.send(getBytes('/50000000'));
      await until(() => rejections.length === 1);
      finish?.();
      expect((await connection.receive()).text).to.equal('late');
    });

    it('leave a client that sends nothing of its body to the time-out of the request', async () => {
      const times = { idleTimeout: 100, headersTimeout: 500, requestTimeout: 500 };
      const connection = await open(await start(times, receive));
      connection.send(`${POST}x`);
      expect((await connection.receive()).status).to.equal(408);
      expect(rejections.map(({ limit }) => limit)).to.deep.equal(['time']);
    });

    it('close a connection that is idle between requests after its own time-out', async () => {
      const connection = await open(await start({ idleTimeout: 600_000, keepAliveTimeout: 50 }));
      await connection.ask(getBytes('/1'));
      expect(await connection.finished()).to.equal('');
    });

    it('keep a connection that is idle between requests for longer than within an exchange', async () => {
      const port = await start({ idleTimeout: 200, keepAliveTimeout: 60_000 });
      const [connection, silent] = [await open(port), await open(port)];
      await connection.ask(getBytes('/1'));
      silent.stopReading();
      silent.send(getBytes('/50000000'));
      await until(() => sockets.length === 2);
      await once(sockets[1] as Socket, 'close');
      expect((await connection.ask(getBytes('/1'))).status).to.equal(200);
    });
  });

  describe('on a request', () => {
    const POST_CODED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ';
    const CODED_10 = 'POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';

    const CHUNKED = `${POST_CODED}chunked\r\n\r\n`;

    for (const [what, bytes, expected] of [
      ['with a method in lower case', getBytes('/').replace('GET', 'patch'), REJECTIONS.method],
      ['with a space in its target', getBytes('/a b'), REJECTIONS.requestLine],
      ['with a target that is no path', getBytes('pets'), REJECTIONS.target],
      ['with a space in the name of a field', getBytes('/', 'A B: c'), REJECTIONS.field],
      ['with a control character in a field', getBytes('/', 'A: \x01'), REJECTIONS.field],
      ['whose lines end with a line feed', getBytes('/').replaceAll('x\r\n', 'x\n'), REJECTIONS.lineEnd],
      ['with two of Content-Length', getBytes('/', 'Content-Length: 1', 'Content-Length: 1'), REJECTIONS.length],
      [
        'with Content-Length and chunks',
        getBytes('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
        REJECTIONS.coding,
      ],
      ['in HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', REJECTIONS.version],
      ['without a Host', 'GET / HTTP/1.1\r\n\r\n', REJECTIONS.host],
      ['with CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', REJECTIONS.connect],
      ['with Transfer-Encoding in HTTP/1.0', CODED_10, REJECTIONS.codingInHttp10],
      ['with another coding before the chunks', `${POST_CODED}gzip, chunked\r\n\r\n0\r\n\r\n`, REJECTIONS.coding],
      ['with many short fields', getBytes('/', ...Array<string>(6000).fill('a:')), REJECTIONS.headers],
      ['with a long field', getBytes('/', `X: ${'x'.repeat(20_000)}`), REJECTIONS.headers],
      ['that does not end', 'GET / HTTP/1.1\r\nHost', REJECTIONS.time],
    ] as const) {
      it(`refuse one ${what} with ${ERROR_STATUS[expected.code]}, and report it`, async () => {
        const connection = await open(await start({ headersTimeout: expected === REJECTIONS.time ? 500 : 10_000 }));
        connection.send(bytes);
        expectRejection(await connection.receive(), expected);
        expect(await connection.finished()).to.equal('');
        expect(sockets).to.have.length(0);
      });
    }

    for (const [what, chunk, expected] of [
      ['whose size is no number', 'zz\r\n', REJECTIONS.chunkSize],
      ['that is longer than its size', '1\r\nxyz\r\n', REJECTIONS.lineEnd],
      ['with extensions of more than 16 KiB', `1;${'x'.repeat(20_000)}\r\n`, REJECTIONS.chunkExtensions],
    ] as const) {
      it(`refuse one with a chunk ${what} with ${ERROR_STATUS[expected.code]}, and report it`, async () => {
        const connection = await open(await start({}, receive));
        connection.send(CHUNKED + chunk);
        expectRejection(await connection.receive(), expected);
        expect(await connection.finished()).to.equal('');
      });
    }

    it('report the id that the client has given', async () => {
      const connection = await open(await start({}));
      connection.send('GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n');
      await connection.receive();
      expect(rejections[0]?.requestId).to.equal('mine');
    });

    it('accept a header section of exactly 16 KiB by default, and refuse one that is a byte longer', async () => {
      const port = await start({});
      // Only the target and the fields count, each with a name, a value and four more bytes.
      const filler = 'x'.repeat(16_384 - '/1Host: x\r\nX: \r\n'.length);
      expect((await (await open(port)).ask(getBytes('/1', `X:${filler}`))).status).to.equal(200);
      expect((await (await open(port)).ask(getBytes('/1', `X:${filler}x`))).status).to.equal(431);
    });

    it('accept a header section as large as the option of Node allows', async () => {
      const command = await startCommand([], { NODE_OPTIONS: '--max-http-header-size=65536' });
      const filler = 'x'.repeat(20_000);
      expect((await (await open(command.port)).ask(getBytes('/livez', `X: ${filler}`))).status).to.equal(200);
      expect((await (await open(command.port)).ask(getBytes('/livez', `X: ${filler.repeat(4)}`))).status).to.equal(431);
    });

    const PROXY_V2 = '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x7f\0\0\x01\x7f\0\0\x01\xab\xcd\0\x50';
    for (const [what, bytes, expected] of [
      ['version 1 of the PROXY protocol', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 80\r\n', REJECTIONS.proxyProtocol],
      ['version 2 of the PROXY protocol', PROXY_V2, REJECTIONS.proxyProtocol],
      ['TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', REJECTIONS.tls],
    ] as const) {
      it(`say that it looks like ${what}, and warn of the first connection`, async () => {
        const warnings: unknown[][] = [];
        const log = { error: () => undefined, warn: (...line: unknown[]) => warnings.push(line) };
        const port = await start({ log });
        expectRejection(await (await open(port)).ask(bytes), expected);
        expect((await (await open(port)).ask(bytes)).status).to.equal(400);
        const { message } = expected;
        expect(warnings).to.deep.equal([[{ clientAddress: '127.0.0.1' }, `a connection was refused: ${message}`]]);
      });
    }

    it('report nothing if the handler fails', async () => {
      const handler = async (): Promise<never> => Promise.reject(new Error('broken'));
      const connection = await open(await start({ log: { error: () => undefined } }, handler));
      expect((await connection.ask(getBytes('/1'))).status).to.equal(500);
      expect(rejections).to.deep.equal([]);
    });

    for (const name of ['onRejected', 'trustProxy']) {
      it(`answer, and log the error, if ${name} throws`, async () => {
        const logged: unknown[][] = [];
        const err = new Error('broken');
        const fail = (): never => {
          throw err;
        };
        const connection = await open(await start({ [name]: fail, log: { error: (...line) => logged.push(line) } }));
        connection.send('garbage\r\n\r\n');
        expect((await connection.receive()).status).to.equal(400);
        expect(logged).to.deep.equal([[{ err }, 'a rejection could not be reported']]);
      });
    }

    it('report nothing if the handler answers, whatever it answers', async () => {
      const connection = await open(await start({}, (_, response) => void response.writeHead(400).end()));
      connection.send(getBytes('/1', 'Connection: close'));
      await connection.closed;
      expect(rejections).to.deep.equal([]);
    });
  });
});
