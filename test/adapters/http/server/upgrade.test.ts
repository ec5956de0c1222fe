import { expect } from 'chai';
import type { Socket } from 'node:net';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import type { HttpServerOptions } from '../../../../src/adapters/http/server/http-server.js';
import { getBytes, listen, open } from './serving.js';

const UPGRADE = ['Connection: Upgrade', 'Upgrade: h2c'];

describe('a request with Upgrade', () => {
  let answered: string[];

  async function start(options: HttpServerOptions = {}): Promise<number> {
    answered = [];
    return listen(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('latin1')) body += String(chunk);
      const text = `${request.method} ${request.url} ${body}`.trim();
      answered.push(text);
      response.setHeader('Content-Length', text.length).end(text);
    }, options);
  }

  /** Expects one answer with this text to these bytes, sent in two segments, and nothing after it. */
  async function expectAnswer(bytes: string, text: string, splitAt = bytes.length): Promise<void> {
    const connection = await open(await start());
    await connection.deliver(bytes.slice(0, splitAt));
    if (splitAt < bytes.length) {
      await new Promise(setImmediate);
      connection.send(bytes.slice(splitAt));
    }
    expect(await connection.receive()).to.include({ text, isLast: true });
    expect(await rejectionOf(connection.receive())).to.be.instanceOf(Error);
    expect(answered).to.deep.equal([text]);
  }

  const post = (target: string, fields: readonly string[], body: string): string =>
    `POST ${target} HTTP/1.1\r\n${['Host: x', ...fields].join('\r\n')}\r\n\r\n${body}`;

  const REQUESTS: Record<string, string> = {
    'without a body': getBytes('/1', ...UPGRADE),
    'with a body of a known length': post('/1', [...UPGRADE, 'Content-Length: 5'], 'abcde'),
    'with a body in chunks': post('/1', [...UPGRADE, 'Transfer-Encoding: chunked'], '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'),
  };

  for (const [what, request] of Object.entries(REQUESTS)) {
    const text = request.startsWith('POST') ? 'POST /1 abcde' : 'GET /1';

    it(`is served ${what}, and is the last of its connection`, async () => {
      await expectAnswer(request, text);
      await expectAnswer(request + getBytes('/2') + getBytes('/3'), text);
    });

    it(`is served ${what}, wherever the segments end, and nothing that follows it`, async () => {
      const bytes = request + post('/2', ['Content-Length: 3'], 'xyz') + getBytes('/3');
      for (let i = 1; i < bytes.length; i += 13) await expectAnswer(bytes, text, i);
    });
  }

  it('is answered behind another request', async () => {
    const connection = await open(await start());
    connection.send(getBytes('/1') + post('/2', [...UPGRADE, 'Content-Length: 5'], 'ab'));
    expect((await connection.receive()).text).to.equal('GET /1');
    connection.send(`cde${getBytes('/3')}`);
    expect((await connection.receive()).text).to.equal('POST /2 abcde');
    await connection.closed;
    expect(answered).to.deep.equal(['GET /1', 'POST /2 abcde']);
  });

  it('is the last of its connection, even if the handler would keep that open', async () => {
    const urls: unknown[] = [];
    const port = await listen(({ url }, response) => {
      urls.push(url);
      response.writeHead(200, { Connection: 'keep-alive', 'Content-Length': 0 }).end();
    });
    const [connection, other] = [await open(port), await open(port)];
    expect((await connection.ask(getBytes('/1', ...UPGRADE))).status).to.equal(200);
    connection.send(getBytes('/2'));
    for (let i = 0; i < 20; i++) await other.ask(getBytes('/other'));
    expect(urls).not.to.include('/2');
  });

  it('does not treat the body of a later request as a request', async () => {
    const smuggled = getBytes('/smuggled');
    const head = post('/2', [`Content-Length: ${smuggled.length}`], '');
    const bytes = getBytes('/1', ...UPGRADE) + head + smuggled;
    await expectAnswer(bytes, 'GET /1', bytes.length - smuggled.length);
  });

  it('does not read what follows while it is answered', async () => {
    let socket: Socket | undefined;
    let answer = (): void => undefined;
    const port = await listen((request, response) => {
      ({ socket } = request);
      answer = () => void response.setHeader('Content-Length', 0).end();
    });
    const connection = await open(port);
    connection.send(getBytes('/1', ...UPGRADE));
    await until(() => socket !== undefined);
    connection.send(getBytes('/now', `X-Filler: ${'x'.repeat(10_000)}`).repeat(1000));
    const other = await open(await listen((_request, response) => response.setHeader('Content-Length', 0).end()));
    for (let i = 0; i < 100; i++) await other.ask(getBytes('/now'));
    expect(socket?.bytesRead).to.be.below(10 * 65_536);
    answer();
    expect((await connection.receive()).status).to.equal(200);
  });

  it('is refused with 400, or with 408 once its time is up, if its own body is malformed', async () => {
    const connection = await open(await start({ headersTimeout: 500, requestTimeout: 500 }));
    connection.send(post('/1', [...UPGRADE, 'Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'));
    expect((await connection.receive()).status).to.be.oneOf([400, 408]);
    expect(await connection.finished()).to.equal('');
  });
});
