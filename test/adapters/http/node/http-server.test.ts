import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from '../../../../src/adapters/http/node/http-server.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
import { endWithTest } from '../../../support/cleanup.js';
import { onConnection } from '../../../support/raw-connection.js';
import { until } from '../../../support/until.js';

const KEY = 'a-key-of-sixteen.';

describe('createHttpServer', () => {
  let server: HttpServer;
  let port: number;
  let answerReady: (ready: boolean) => void;

  async function listen(options?: HttpServerOptions): Promise<void> {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const isReady = async () => new Promise<boolean>((resolve) => (answerReady = resolve));
    const app = createApp({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]), isReady });
    await serve(createHttpServer(app.callback(), options));
  }

  /** Listens with another server. It is drained when the test ends, after its clients have been closed. */
  async function serve(other: HttpServer): Promise<void> {
    server = other;
    endWithTest(async () => other.drain(1));
    ({ port } = await other.listen(0, '127.0.0.1'));
  }

  function open(): Socket {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    endWithTest(() => socket.destroy());
    return socket;
  }

  beforeEach(async () => listen());

  /** Everything that the server sends until it closes the connection. */
  async function talk(bytes: string): Promise<string> {
    const socket = open();
    let received = '';
    socket.on('data', (text: string) => (received += text));
    socket.write(bytes);
    await once(socket, 'close');
    return received;
  }

  function expectTimeOut(answer: string): void {
    expect(answer).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).to.match(/\r\nConnection: close\r\n/i);
    expect(answer).to.match(/\r\nContent-Type: application\/json; charset=utf-8\r\n/);
    expect(answer).to.match(/\r\nX-Content-Type-Options: nosniff\r\n/);
    expect(answer).to.match(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(answer).to.include(`\r\nContent-Length: ${body.length}\r\n`);
    expect(JSON.parse(body)).to.deep.equal({
      code: 'request_timeout',
      message: 'the request did not arrive in time',
      status: 408,
    });
  }

  it('answers whole requests before it refuses what follows them', async () => {
    const answer = await talk(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\nnonsense\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 [0-9]+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('answers a client that has ended its side after the request, however long the answer takes', async () => {
    const socket = open();
    let received = '';
    socket.on('data', (text: string) => (received += text));
    socket.end('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'finish');
    await talk('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    answerReady(true);
    await once(socket, 'close');
    expect(received).to.match(/^HTTP\/1\.1 200 /);
  });

  it('serves a request that comes behind one in flight while it drains, and closes after the last', async () => {
    const [busy, witness] = [open(), open()];
    let received = '';
    busy.on('data', (text: string) => (received += text));
    busy.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    witness.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(witness, 'data');
    const drained = server.drain(600_000);
    busy.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    witness.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(witness, 'data');
    answerReady(true);
    await Promise.all([once(busy, 'close'), drained]);
    const answers = received.split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.startsWith('HTTP/1.1 200 '))).to.deep.equal([true, true]);
    expect(answers.map((answer) => /\r\nConnection: close\r\n/i.test(answer))).to.deep.equal([false, true]);
  });

  it('answers what is not well-formed with an Error if it serves an application that the store is mounted in', async () => {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app = new Koa().use(mount('/shop', createApp({ store, apiKeys: new InMemoryApiKeys([]) })));
    await serve(createHttpServer(app.callback()));
    const answer = await talk('nonsense\r\n\r\n');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).to.deep.equal({
      code: 'bad_request',
      message: 'the request is not well-formed HTTP',
      status: 400,
    });
  });

  it('logs no fault if the operation ends after its request was refused with 408', async () => {
    const faults: object[] = [];
    await listen({ requestTimeout: 500, headersTimeout: 500, log: { error: (fields) => faults.push(fields) } });
    await onConnection(port, async (connection) => {
      const refused = await connection.ask('GET /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      expect(refused.status).to.equal(408);
      answerReady(true);
      expect(await connection.finished()).to.equal('');
    });
    expect(faults).to.deep.equal([]);
  });

  it('lets a client that reads slowly have its whole answer while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    await serve(createHttpServer((_request, response) => response.end(body)));
    const socket = open();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(socket, 'readable');
    const drained = server.drain(1000);
    let received = 0;
    for await (const chunk of socket) {
      received += (chunk as string).length;
      // So slowly that the whole takes longer than the grace.
      await setTimeout(5);
    }
    expect(received).to.be.greaterThan(body.length);
    await drained;
  });

  it('counts the requests that are not answered yet, those that wait behind others included', async () => {
    open().resume().write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    await until(() => server.requestsInFlight === 2);
    answerReady(true);
    await until(() => server.requestsInFlight === 1);
    await until(() => {
      answerReady(true);
      return server.requestsInFlight === 0;
    });
  });

  it('cuts a client that reads nothing of its answer while it drains', async () => {
    const body = Buffer.alloc(32 * 2 ** 20);
    await serve(createHttpServer((_request, response) => response.end(body), { idleTimeout: 600_000 }));
    await onConnection(port, async (connection) => {
      connection.stopReading();
      await connection.deliver('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await talk('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await server.drain(100);
    });
  });

  it('drains at once if there is no connection', async () => {
    await server.drain(600_000);
  });

  describe('with short time-outs', () => {
    beforeEach(async () => listen({ headersTimeout: 500, requestTimeout: 500 }));

    it('answers 408 to a connection that stays silent', async () => {
      expectTimeOut(await talk(''));
    });

    it('answers 408 to a header section that does not end in time', async () => {
      expectTimeOut(await talk('GET /v1/pets HTTP/1.1\r\nHost: x\r\n'));
    });

    it('answers 408 to a body that does not end in time', async () => {
      const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
      expectTimeOut(await talk(`${head}Content-Length: 10\r\n\r\n{"na`));
    });

    it('answers once, and hangs up, if the body of a refused request does not end in time', async () => {
      const answer = await talk('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"na');
      expect(answer.match(/HTTP\/1\.1 [0-9]+/g)).to.deep.equal(['HTTP/1.1 401']);
    });
  });

  it('answers 408 to a connection that stays silent, after the default time-out', async () => {
    expectTimeOut(await talk(''));
  });

  it('tells clients that it keeps idle connections for 65 seconds', async () => {
    const socket = open();
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [string];
    expect(answer).to.match(/\r\nKeep-Alive: timeout=65\r\n/);
  });
});
