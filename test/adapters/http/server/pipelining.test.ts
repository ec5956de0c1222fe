import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rejection } from '../../../../src/adapters/http/server/refusals.js';
import { endWithTest } from '../../../support/cleanup.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

describe('requests that are pipelined on one connection', () => {
  let started: string[];
  let answers: Map<string, (body?: string) => void>;

  /** Records each request, and answers it when the test says so; those below `/now` immediately. */
  function handle({ url = '' }: IncomingMessage, response: ServerResponse): void {
    started.push(url);
    const answer = (body = url): void => void response.setHeader('Content-Length', body.length).end(body);
    if (url.startsWith('/now')) answer();
    else answers.set(url, answer);
  }

  beforeEach(() => {
    started = [];
    answers = new Map();
  });

  const startedBelow = (path: string): number => started.filter((url) => url.startsWith(path)).length;

  for (const [how, isSplit] of [
    ['in one segment', false],
    ['each in its own segment', true],
  ] as const) {
    it(`start one after the other, each when the answer before it has left, if they arrive ${how}`, async () => {
      const port = await listen(handle);
      const [connection, other] = [await open(port), await open(port)];
      const urls = ['/1', '/2', '/3'];
      if (!isSplit) connection.send(urls.map((url) => getBytes(url)).join(''));
      for (const url of isSplit ? urls : []) {
        await connection.deliver(getBytes(url));
        await other.ask(getBytes('/now'));
      }
      for (const url of urls) {
        await until(() => answers.has(url));
        await other.ask(getBytes('/now'));
        expect(started.filter((each) => each !== '/now').at(-1)).to.equal(url);
        answers.get(url)?.();
        expect((await connection.receive()).text).to.equal(url);
      }
    });
  }

  it('start one after the other if the first is answered before Node has parsed the second', async () => {
    const port = await listen(handle);
    const [connection, other] = [await open(port), await open(port)];
    connection.send(getBytes('/now/1') + getBytes('/2') + getBytes('/3'));
    await until(() => answers.has('/2'));
    await other.ask(getBytes('/now/other'));
    expect(started).not.to.include('/3');
    answers.get('/2')?.();
    await until(() => answers.has('/3'));
    answers.get('/3')?.();
    for (const url of ['/now/1', '/2', '/3']) expect((await connection.receive()).text).to.equal(url);
  });

  it('are all answered, in order, if they fill many segments', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    const urls = Array.from({ length: 5000 }, (_, i) => `/now/${i}`);
    connection.send(urls.map((url) => getBytes(url, `X-Filler: ${'x'.repeat(50)}`)).join(''));
    for (const url of urls) expect((await connection.receive()).text).to.equal(url);
  });

  it('have their bodies, wherever the segments end', async () => {
    const port = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('latin1')) body += String(chunk);
      response.setHeader('Content-Length', body.length).end(body);
    });
    const connection = await open(port);
    const bodies = Array.from({ length: 40 }, (_, i) => `${i}`.repeat(1000 + 500 * i));
    const bytes = bodies.map((body) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    connection.send(bytes.join(''));
    for (const body of bodies) expect((await connection.receive()).text).to.equal(body);
  });

  it('leave the event loop to other connections, however many come in one segment', async () => {
    const port = await listen(handle);
    const [connection, other] = [await open(port), await open(port)];
    connection.send(getBytes('/now/many').repeat(1500));
    await until(() => startedBelow('/now/many') > 0);
    await other.ask(getBytes('/now/other'));
    expect(startedBelow('/now/many')).to.be.below(1500);
  });

  it('do not start as long as the client does not read the answers before them', async () => {
    const port = await listen(({ url = '' }, response) => {
      started.push(url);
      const body = url === '/large' ? Buffer.alloc(2 ** 20) : '';
      response.setHeader('Content-Length', body.length).end(body);
    });
    const [connection, other] = [await open(port), await open(port)];
    connection.stopReading();
    connection.send(getBytes('/large').repeat(1000));
    let before = -1;
    await until(async () => {
      const now = startedBelow('/large');
      const isSteady = now === before && now > 0;
      before = now;
      for (let i = 0; i < 20; i++) await other.ask(getBytes('/small'));
      return isSteady;
    });
    expect(before).to.be.below(100);
  });

  it('go on behind a body that nobody reads', async () => {
    const connection = await open(await listen(handle));
    const body = 'x'.repeat(1_000_000);
    connection.send(
      `${getBytes('/1')}POST /now/2 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${getBytes('/now/3')}`,
    );
    await until(() => answers.has('/1'));
    answers.get('/1')?.();
    for (const url of ['/1', '/now/2', '/now/3']) expect((await connection.receive()).text).to.equal(url);
  });

  it('are answered up to garbage behind a body that arrives after its answer, which gets its 400', async () => {
    const connection = await open(await listen(handle));
    connection.send('POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n');
    expect((await connection.receive()).status).to.equal(200);
    expect((await connection.ask('higarbage\r\n\r\n')).status).to.equal(400);
  });

  it('are read from the socket only as far as one segment, while an answer is due', async () => {
    let socket: IncomingMessage['socket'] | undefined;
    const port = await listen((request, response) => {
      ({ socket } = request);
      handle(request, response);
    });
    const connection = await open(port);
    const urls = ['/1', '/2', '/3', '/4', '/5', '/6'];
    const filler = getBytes('/now', `X-Filler: ${'x'.repeat(10_000)}`).repeat(500);
    connection.send(urls.map((url) => getBytes(url)).join('') + filler);
    const other = await open(port);
    for (const url of urls) {
      await until(() => answers.has(url));
      const paused = socket;
      for (let i = 0; i < 20; i++) await other.ask(getBytes('/now'));
      expect(paused?.bytesRead).to.be.within(1, 3 * 65_536);
      answers.get(url)?.();
    }
  });

  it('are answered up to the first that is not well-formed, and not beyond it, although megabytes follow', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    connection.send(
      `${getBytes('/now').repeat(100)}GET / HTTP/1.1\r\nHost: a b\r\n\r\n${getBytes('/now').repeat(200_000)}`,
    );
    for (let i = 0; i < 100; i++) expect((await connection.receive()).status).to.equal(200);
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
    expect(started).to.have.length(100);
  });

  it('end with the answer that closes the connection', async () => {
    const port = await listen(({ url = '' }, response) => {
      started.push(url);
      response.writeHead(200, { 'Content-Length': 0, ...(url === '/2' && { Connection: 'close' }) }).end();
    });
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/2') + getBytes('/3'));
    expect((await connection.receive()).isLast).to.equal(false);
    expect((await connection.receive()).isLast).to.equal(true);
    expect(await connection.finished()).to.equal('');
    expect(started).to.deep.equal(['/1', '/2']);
  });

  it('get complete answers if these are written in pieces, and a CONNECT follows', async () => {
    const pieces = Array.from({ length: 64 }, () => Buffer.alloc(2 ** 17));
    const port = await listen(async (_request, response) => {
      response.setHeader('Content-Length', pieces.length * 2 ** 17);
      await pipeline(Readable.from(pieces), response);
    });
    const connection = await open(port);
    connection.send(`${getBytes('/1')}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    expect((await connection.receive()).body.length).to.equal(pieces.length * 2 ** 17);
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
  });

  for (const [what, follows] of Object.entries({ 'a request': getBytes('/2'), garbage: 'garbage\r\n\r\n' })) {
    it(`end with an answer that closes the connection before Node has parsed ${what} behind it`, async () => {
      const refusals: Rejection[] = [];
      const port = await listen(
        ({ url = '' }, response) => {
          started.push(url);
          response.writeHead(200, { 'Content-Length': 0, Connection: 'close' }).end();
        },
        { onRejected: (refusal) => refusals.push(refusal) },
      );
      const connection = await open(port);
      const head = 'POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
      connection.send(`${head}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n${follows}`);
      expect(await connection.receive()).to.include({ status: 200, isLast: true });
      expect(await connection.finished()).to.equal('');
      expect({ started, refusals }).to.deep.equal({ started: ['/1'], refusals: [] });
    });
  }

  it('are cut with their connection if too many wait over all connections, and the server keeps running', async () => {
    const refusals: Rejection[] = [];
    const due: (() => void)[] = [];
    const port = await listen(
      (request, response) => {
        if (request.url === '/1') due.push(() => response.end());
        else handle(request, response);
      },
      { onRejected: (refusal) => refusals.push(refusal) },
    );
    const connections = await Promise.all(Array.from({ length: 20 }, async () => open(port)));
    for (const connection of connections) connection.send(getBytes('/1') + getBytes('/now').repeat(1500));
    await until(() => refusals.length + due.length >= 20 && refusals.length > 0);
    expect(refusals[0]).to.include({ status: 503, code: 'overloaded', limit: 'pipelined', requestId: undefined });
    expect((await (await open(port)).ask(getBytes('/now'))).status).to.equal(200);
    for (const connection of connections) connection.destroy();
    for (const answer of due) answer();
    await until(async () => {
      const connection = await open(port);
      connection.send(getBytes('/now').repeat(3));
      const ends = [];
      for (let i = 0; i < 3; i++) ends.push(...(await Promise.allSettled([connection.receive()])));
      return ends.every(({ status }) => status === 'fulfilled');
    });
  });

  it('are answered if one alone waits on its connection, however many wait on others', async () => {
    const due: (() => void)[] = [];
    const port = await listen((request, response) => {
      if (request.url === '/1') due.push(() => response.end('late'));
      else handle(request, response);
    });
    endWithTest(() => due.forEach((answerOne) => answerOne()));
    for (const count of [...Array.from({ length: 6 }, () => 1500), 1000]) {
      const connection = await open(port);
      connection.send(getBytes('/1') + getBytes('/now').repeat(count));
    }
    await until(() => due.length === 7);
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/now'));
    await until(() => due.length === 8);
    due[7]?.();
    expect((await connection.receive()).text).to.equal('late');
    expect((await connection.receive()).status).to.equal(200);
  });

  const POST = 'POST /3 HTTP/1.1\r\nHost: x\r\n';
  for (const [why, { last, status }] of Object.entries({
    'its body is malformed': { last: `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n`, status: 400 },
    'its header section does not arrive in time': { last: 'GET /3', status: 408 },
    'its body does not arrive in time': { last: `${POST}Content-Length: 9\r\n\r\nsome`, status: 408 },
  })) {
    it(`are answered before the last one is refused, and not run, because ${why}`, async () => {
      const port = await listen(handle, { headersTimeout: 500, requestTimeout: 500 });
      const connection = await open(port);
      await connection.deliver(getBytes('/1') + getBytes('/2') + getBytes('/4') + last);
      await until(() => answers.has('/1'));
      expect((await (await open(port)).receive()).status).to.equal(408);
      for (const url of ['/1', '/2', '/4']) {
        await until(() => answers.has(url));
        answers.get(url)?.();
        expect((await connection.receive()).text).to.equal(url);
      }
      expect((await connection.receive()).status).to.equal(status);
      expect(await connection.finished()).to.equal('');
      expect(started).to.deep.equal(['/1', '/2', '/4']);
    });
  }
});
