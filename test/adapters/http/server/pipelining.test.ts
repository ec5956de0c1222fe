import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Rejection } from '../../../../src/adapters/http/server/rejections.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

const MB = 1_000_000;
const GARBAGE = 'garbage\r\n\r\n';
const post = (target: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('requests that are pipelined on one connection', () => {
  let started: string[];
  let answers: Map<string, () => void>;
  let socket: Socket | undefined;
  let rejections: Rejection[];
  const onRejected = (rejection: Rejection): unknown => rejections.push(rejection);

  /** Records each request, and answers it with its target when the test says so; those below `/now` immediately. */
  function handle(request: IncomingMessage, response: ServerResponse): void {
    ({ socket } = request);
    const { url = '' } = request;
    started.push(url);
    const answer = (): void => void response.setHeader('Content-Length', url.length).end(url);
    if (url.startsWith('/now')) answer();
    else answers.set(url, answer);
  }

  /** Answers a request as soon as its handler runs. */
  async function answer(url: string): Promise<void> {
    await until(() => answers.has(url));
    answers.get(url)?.();
  }

  beforeEach(() => {
    started = [];
    answers = new Map();
    rejections = [];
  });

  for (const [how, isSplit] of [
    ['in one segment', false],
    ['each in its own segment', true],
  ] as const) {
    it(`start one after the other, each when the response before it has left, if they arrive ${how}`, async () => {
      const port = await listen(handle);
      const [connection, other] = [await open(port), await open(port)];
      await connection.deliver(getBytes('/1') + (isSplit ? '' : getBytes('/2')));
      await until(() => answers.has('/1'));
      if (isSplit) await connection.deliver(getBytes('/2'));
      await other.ask(getBytes('/now'));
      expect(started).not.to.include('/2');
      for (const url of ['/1', '/2']) {
        await answer(url);
        expect(await connection.receive()).to.include({ text: url, isLast: false });
      }
    });
  }

  it('are answered up to the one that waits, with Connection: close, if a further one arrives with them', async () => {
    const connection = await open(await listen(handle));
    connection.send(['/1', '/2', '/3', '/4'].map((url) => getBytes(url)).join(''));
    for (const url of ['/1', '/2']) await answer(url);
    expect(await connection.receive()).to.include({ text: '/1', isLast: false });
    expect(await connection.receive()).to.include({ text: '/2', isLast: true });
    expect(await connection.finished()).to.equal('');
    expect(started).to.deep.equal(['/1', '/2']);
  });

  it('keep the connection open if a third one arrives once the first response has left', async () => {
    const port = await listen(({ url }, response) => {
      response.setHeader('Content-Length', 0).end();
      if (url === '/1') connection.send(getBytes('/3'));
    });
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/2'));
    for (let i = 0; i < 3; i++) expect(await connection.receive()).to.include({ status: 200, isLast: false });
  });

  it('get all of both answers, although the client has sent more ahead and reads slowly', async () => {
    const bodies = [Buffer.alloc(8 * MB), Buffer.alloc(1000)];
    const port = await listen((_request, response) => response.end(bodies.shift()));
    const connection = await open(port);
    connection.send(getBytes('/', `X-Filler: ${'x'.repeat(1000)}`).repeat(100));
    expect(await connection.readSlowly()).to.be.greaterThan(8 * MB + 1000);
  });

  it('end with the last one even if its handler would keep the connection open', async () => {
    const port = await listen(
      ({ url = '' }, response) => {
        started.push(url);
        response.writeHead(200, { Connection: 'keep-alive', 'Content-Length': 0 }).end();
      },
      { keepAliveTimeout: 600_000 },
    );
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/2') + getBytes('/3'));
    for (let i = 0; i < 2; i++) expect((await connection.receive()).status).to.equal(200);
    expect(await connection.finished()).to.equal('');
    expect(started).to.deep.equal(['/1', '/2']);
  });

  it('have their bodies, wherever the segments end', async () => {
    const port = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('latin1')) body += String(chunk);
      response.setHeader('Content-Length', body.length).end(body);
    });
    const connection = await open(port);
    for (let i = 0; i < 20; i++) {
      const bodies = [`${i}`.repeat(1000 + 3000 * i), 'y'.repeat(70_000)];
      connection.send(bodies.map((body) => post('/', body)).join(''));
      for (const body of bodies) expect((await connection.receive()).text).to.equal(body);
    }
  });

  it('do not start as long as the client does not read the response before them', async () => {
    const body = Buffer.alloc(32 * MB);
    const port = await listen(({ url = '' }, response) => {
      started.push(url);
      response.end(url === '/large' ? body : '');
    });
    const [connection, other] = [await open(port), await open(port)];
    connection.stopReading();
    connection.send(getBytes('/large').repeat(2));
    await until(() => started.includes('/large'));
    for (let i = 0; i < 100; i++) await other.ask(getBytes('/small'));
    expect(started.filter((url) => url === '/large')).to.have.length(1);
    connection.startReading();
    for (let i = 0; i < 2; i++) expect((await connection.receive()).body).to.have.length(body.length);
  });

  it('go on behind a body that nobody reads', async () => {
    const connection = await open(await listen(handle));
    connection.send(getBytes('/1') + post('/now/2', 'x'.repeat(MB)));
    await answer('/1');
    for (const url of ['/1', '/now/2']) expect((await connection.receive()).text).to.equal(url);
    expect((await connection.ask(getBytes('/now/3'))).text).to.equal('/now/3');
  });

  it('are read from the socket only as far as a segment or two, while a response is due', async () => {
    const port = await listen(handle);
    const [connection, other] = [await open(port), await open(await listen(handle))];
    const filler = getBytes('/now', `X-Filler: ${'x'.repeat(10_000)}`).repeat(500);
    connection.send(getBytes('/1') + getBytes('/2') + filler);
    for (const url of ['/1', '/2']) {
      await until(() => answers.has(url));
      const paused = socket;
      for (let i = 0; i < 20; i++) await other.ask(getBytes('/now'));
      expect(paused?.bytesRead).to.be.within(1, 4 * 65_536);
      answers.get(url)?.();
    }
  });

  it('cost a connection its life if more are held than memory is for, and the server serves others', async () => {
    const port = await listen(handle, { onRejected });
    // About 2 KB for each of 2,500 requests of a segment.
    const bytes = getBytes('/1') + 'GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2500);
    for (let i = 0; i < 30; i++) (await open(port)).send(bytes);
    await until(() => rejections.length > 0);
    expect(rejections[0]).to.include({ status: 503, code: 'overloaded', limit: 'unsent', requestId: undefined });
    expect((await (await open(port)).ask(getBytes('/now'))).status).to.equal(200);
  });

  for (const [what, { bytes, status }] of Object.entries({
    'is not HTTP': { bytes: GARBAGE, status: 400 },
    'names no host': { bytes: `GET / HTTP/1.1\r\nHost: a b\r\n\r\n${getBytes('/now').repeat(3)}`, status: 400 },
    'has a malformed body': {
      bytes: 'POST /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n',
      status: 400,
    },
    'does not bring its header section in time': { bytes: 'GET /2', status: 408 },
    'does not bring its body in time': {
      bytes: 'POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nsome',
      status: 408,
    },
  })) {
    it(`are answered before one that ${what} is refused, and not run`, async () => {
      const port = await listen(handle, { headersTimeout: 500, requestTimeout: 500, onRejected });
      const connection = await open(port);
      await connection.deliver(getBytes('/1') + bytes);
      await until(() => answers.has('/1'));
      // By the time-out of a later connection, that of this one has passed.
      if (status === 408) expect((await (await open(port)).ask('G')).status).to.equal(408);
      answers.get('/1')?.();
      expect((await connection.receive()).text).to.equal('/1');
      expect(await connection.receive()).to.include({ status, isLast: true });
      expect(await connection.finished()).to.equal('');
      expect(started).to.deep.equal(['/1']);
    });
  }

  for (const [what, follows] of Object.entries({
    garbage: GARBAGE + 'x'.repeat(5 * MB),
    'a request without a Host': `GET / HTTP/1.1\r\n\r\n${getBytes('/3')}`,
    'a CONNECT': 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n',
  })) {
    it(`end with the one that waits if ${what} follows, which gets no response`, async () => {
      const connection = await open(await listen(handle, { onRejected }));
      connection.send(getBytes('/1') + getBytes('/2') + follows);
      for (const url of ['/1', '/2']) await answer(url);
      expect(await connection.receive()).to.include({ text: '/1', isLast: false });
      expect(await connection.receive()).to.include({ text: '/2', isLast: true });
      await connection.closed;
      expect(started).to.deep.equal(['/1', '/2']);
      expect(rejections).to.deep.equal([]);
    });
  }

  it('are answered up to garbage behind a body that arrives after its response, which gets its 400', async () => {
    const connection = await open(await listen(handle));
    connection.send('POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n');
    expect((await connection.receive()).status).to.equal(200);
    expect((await connection.ask(`hi${GARBAGE}`)).status).to.equal(400);
  });

  it('end with a response that closes the connection before Node has parsed what is behind it', async () => {
    const port = await listen(
      ({ url = '' }, response) => {
        started.push(url);
        response.writeHead(200, { 'Content-Length': 0, Connection: 'close' }).end();
      },
      { onRejected },
    );
    for (const follows of [getBytes('/2'), GARBAGE]) {
      const connection = await open(port);
      const head = 'POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
      connection.send(`${head}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n${follows}`);
      expect(await connection.receive()).to.include({ status: 200, isLast: true });
      expect(await connection.finished()).to.equal('');
    }
    expect({ started, rejections }).to.deep.equal({ started: ['/1', '/1'], rejections: [] });
  });

  it('are not run if their client has left', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/2'));
    await until(() => answers.has('/1'));
    connection.reset();
    await connection.closed;
    await until(() => socket?.destroyed === true);
    answers.get('/1')?.();
    await (await open(port)).ask(getBytes('/now'));
    expect(started).to.deep.equal(['/1', '/now']);
  });
});
