import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import type { Refusal } from '../../../../src/adapters/http/server/refusals.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
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

  it('start one after the other, each when the answer before it has left', async () => {
    const port = await listen(handle);
    const [connection, other] = [await open(port), await open(port)];
    connection.send(getBytes('/1') + getBytes('/2') + getBytes('/3'));
    for (const url of ['/1', '/2', '/3']) {
      await until(() => answers.has(url));
      await other.ask(getBytes('/now'));
      expect(started.filter((each) => each !== '/now').at(-1)).to.equal(url);
      answers.get(url)?.();
      expect((await connection.receive()).text).to.equal(url);
    }
  });

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

  it('start one after the other if each arrives in its own segment', async () => {
    const port = await listen(handle);
    const [connection, other] = [await open(port), await open(port)];
    for (const url of ['/1', '/2', '/3']) {
      await connection.deliver(getBytes(url));
      await other.ask(getBytes('/now'));
    }
    expect(startedBelow('/') - startedBelow('/now')).to.equal(1);
    for (const url of ['/1', '/2', '/3']) {
      await until(() => answers.has(url));
      answers.get(url)?.();
      expect((await connection.receive()).text).to.equal(url);
    }
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

  it('leave the event loop to other connections if they ask for long lists and their clients read nothing', async () => {
    const animals = Array.from({ length: 100 }, () => ({ name: '😀'.repeat(1024), categoryId: 7 }));
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue(animals) });
    const key = 'a key of sixteen.';
    const animalStore = createListener(
      createHttpInterface({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key }]) }),
    );
    const port = await listen((request, response) => {
      started.push(request.url ?? '');
      return animalStore(request, response);
    });
    const list = (limit: number): string => getBytes(`/v1/pets?limit=${limit}`, `Authorization: Bearer ${key}`);
    const other = await open(port);
    for (let i = 0; i < 3; i++) {
      const connection = await open(port);
      connection.stopReading();
      connection.send(list(100).repeat(300));
    }
    await until(() => startedBelow('/v1/pets?limit=100') > 0);
    for (let i = 0; i < 20; i++) expect((await other.ask(list(1))).status).to.equal(200);
    expect(startedBelow('/v1/pets?limit=100')).to.be.below(300);
  });

  it('are read from the socket only as far as one segment, while an answer is due', async () => {
    let socket: IncomingMessage['socket'] | undefined;
    const port = await listen((request, response) => {
      ({ socket } = request);
      handle(request, response);
    });
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/now/2', `X-Filler: ${'x'.repeat(10_000)}`).repeat(500));
    const other = await open(port);
    await until(() => answers.has('/1'));
    const paused = socket;
    for (let i = 0; i < 100; i++) await other.ask(getBytes('/now'));
    expect(paused?.bytesRead).to.be.within(1, 3 * 65_536);
    answers.get('/1')?.();
  });

  it('are answered up to the first that is not well-formed, and not beyond it', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    connection.send(
      `${getBytes('/now/1')}${getBytes('/now/2')}GET / HTTP/1.1\r\nHost: a b\r\n\r\n${getBytes('/now/3')}`,
    );
    for (const status of [200, 200, 400]) expect((await connection.receive()).status).to.equal(status);
    expect(await connection.finished()).to.equal('');
    expect(started).to.deep.equal(['/now/1', '/now/2']);
  });

  it('lose none of their answers if one that is not well-formed is followed by megabytes', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    connection.send(
      `${getBytes('/now').repeat(100)}GET / HTTP/1.1\r\nHost: a b\r\n\r\n${getBytes('/now').repeat(200_000)}`,
    );
    for (let i = 0; i < 100; i++) expect((await connection.receive()).status).to.equal(200);
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
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

  it('end with the answer that closes the connection, also if they arrive before it is sent', async () => {
    const port = await listen((request, response) => {
      response.setHeader('Connection', 'close');
      handle(request, response);
    });
    const connection = await open(port);
    connection.send(getBytes('/1') + getBytes('/2'));
    await until(() => answers.has('/1'));
    answers.get('/1')?.();
    expect(await connection.receive()).to.include({ isLast: true, text: '/1' });
    expect(await connection.finished()).to.equal('');
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

  it('do not run behind an answer that closes the connection before the segment has been parsed', async () => {
    const port = await listen(({ url = '' }, response) => {
      started.push(url);
      response.writeHead(200, { 'Content-Length': 0, Connection: 'close' });
      response.end();
    });
    const connection = await open(port);
    const head = 'POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    connection.send(`${head}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n${getBytes('/2')}`);
    expect((await connection.receive()).isLast).to.equal(true);
    await connection.closed;
    expect(started).to.deep.equal(['/1']);
  });

  it('do not make the server refuse what follows an answer that closes the connection', async () => {
    const refusals: Refusal[] = [];
    const port = await listen(
      (_request, response) => response.writeHead(200, { 'Content-Length': 0, Connection: 'close' }).end(),
      { onRefused: (refusal) => refusals.push(refusal) },
    );
    const connection = await open(port);
    const head = 'POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    connection.send(`${head}${'1\r\nx\r\n'.repeat(50)}0\r\n\r\ngarbage\r\n\r\n`);
    expect((await connection.receive()).status).to.equal(200);
    expect(await connection.finished()).to.equal('');
    expect(refusals).to.deep.equal([]);
  });

  it('are refused in their turn, and not run, if the body of the last one is malformed', async () => {
    const port = await listen(handle);
    const connection = await open(port);
    const post = 'POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n';
    connection.send(getBytes('/1') + getBytes('/2') + post);
    for (const url of ['/1', '/2']) {
      await until(() => answers.has(url));
      answers.get(url)?.();
      expect((await connection.receive()).text).to.equal(url);
    }
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
    expect(started).to.deep.equal(['/1', '/2']);
  });

  it('are cut with their connection if too many wait over all connections, and the server keeps running', async () => {
    const refusals: Refusal[] = [];
    const due: (() => void)[] = [];
    const port = await listen(
      (request, response) => {
        if (request.url === '/1') due.push(() => response.end());
        else handle(request, response);
      },
      { onRefused: (refusal) => refusals.push(refusal) },
    );
    const connections = await Promise.all(Array.from({ length: 20 }, async () => open(port)));
    for (const connection of connections) connection.send(getBytes('/1') + getBytes('/now').repeat(1500));
    await until(() => refusals.length + due.length >= 20 && refusals.length > 0);
    expect(refusals[0]).to.deep.equal({
      status: 503,
      code: 'overloaded',
      limit: 'pipelined',
      reason: 'too many pipelined requests wait',
      clientAddress: '127.0.0.1',
      requestId: undefined,
    });
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

  it('leave no more listeners on their connection, however often they wait', async () => {
    const listeners: number[] = [];
    const port = await listen((request, response) => {
      listeners.push(request.socket.listenerCount('resume'));
      handle(request, response);
    });
    const connection = await open(port);
    for (let i = 0; i < 4; i++) {
      connection.send(getBytes('/1') + getBytes('/now/2'));
      await until(() => answers.has('/1'));
      answers.get('/1')?.();
      answers.clear();
      for (const url of ['/1', '/now/2']) expect((await connection.receive()).text).to.equal(url);
    }
    expect(listeners.at(-1)).to.equal(listeners[1]);
  });

  for (const [part, last] of Object.entries({
    'header section': 'GET /3',
    body: 'POST /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nsome',
  })) {
    it(`end in a 408 if the ${part} of the last one has not arrived in time, and do not run it`, async () => {
      const port = await listen(handle, { headersTimeout: 500, requestTimeout: 500 });
      const connection = await open(port);
      await connection.deliver(getBytes('/1') + getBytes('/2') + last);
      await until(() => answers.has('/1'));
      expect((await (await open(port)).receive()).status).to.equal(408);
      for (const url of ['/1', '/2']) {
        await until(() => answers.has(url));
        answers.get(url)?.();
        expect((await connection.receive()).text).to.equal(url);
      }
      expect((await connection.receive()).status).to.equal(408);
      expect(await connection.finished()).to.equal('');
      expect(started).to.deep.equal(['/1', '/2']);
    });
  }
});
