import { expect } from 'chai';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

const UPGRADE = ['Connection: Upgrade', 'Upgrade: h2c'];

describe('a request with Upgrade', () => {
  let answered: string[];

  async function start(): Promise<number> {
    answered = [];
    return listen(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('latin1')) body += String(chunk);
      const text = `${request.method} ${request.url} ${body}`.trim();
      answered.push(text);
      response.setHeader('Content-Length', text.length).end(text);
    });
  }

  async function expectAnswers(bytes: string, texts: readonly string[], splitAt = bytes.length): Promise<void> {
    const connection = await open(await start());
    await connection.deliver(bytes.slice(0, splitAt));
    if (splitAt < bytes.length) {
      await new Promise(setImmediate);
      connection.send(bytes.slice(splitAt));
    }
    for (const text of texts) expect((await connection.receive()).text).to.equal(text);
    connection.destroy();
    expect(answered).to.deep.equal(texts);
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

    it(`is served ${what}, and so is what follows it in the same segment`, async () => {
      await expectAnswers(request + getBytes('/2') + getBytes('/3'), [text, 'GET /2', 'GET /3']);
    });

    it(`is served ${what}, and so is what follows it, wherever the segments end`, async () => {
      const bytes = request + post('/2', ['Content-Length: 3'], 'xyz') + getBytes('/3');
      for (let i = 1; i < bytes.length; i += 13) await expectAnswers(bytes, [text, 'POST /2 xyz', 'GET /3'], i);
    });
  }

  it('may come many times in one segment', async () => {
    const urls = Array.from({ length: 50 }, (_, i) => `/${i}`);
    const bytes = urls.map((url, i) => getBytes(url, ...(i % 3 === 0 ? [] : UPGRADE))).join('');
    await expectAnswers(
      bytes,
      urls.map((url) => `GET ${url}`),
    );
  });

  it('may come in each of many segments', async () => {
    const connection = await open(await start());
    for (let i = 0; i < 30; i++) {
      connection.send(getBytes('/1', ...UPGRADE) + getBytes('/2'));
      expect((await connection.receive()).text).to.equal('GET /1');
      expect((await connection.receive()).text).to.equal('GET /2');
    }
  });

  it('does not let the body of the next request pass for a request', async () => {
    const smuggled = getBytes('/smuggled');
    const head = post('/2', [`Content-Length: ${smuggled.length}`], '');
    const bytes = getBytes('/1', ...UPGRADE) + head + smuggled;
    await expectAnswers(bytes, ['GET /1', `POST /2 ${smuggled}`.trim()], bytes.length - smuggled.length);
  });

  for (const [what, bytes] of Object.entries({
    garbage: 'garbage\r\n\r\n',
    'a malformed header section': 'GET /2 HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
    'a header section that is too large': getBytes('/2', `X: ${'x'.repeat(20_000)}`),
    'a request and garbage': `${getBytes('/1')}garbage\r\n\r\n`,
  })) {
    for (const [where, hasOwnSegment] of Object.entries({ 'the same segment': false, 'a segment of its own': true })) {
      it(`is followed by a refusal of ${what} in ${where}`, async () => {
        const connection = await open(await start());
        const [head, tail] = [getBytes('/1', ...UPGRADE), bytes];
        connection.send(hasOwnSegment ? head : head + tail);
        expect((await connection.receive()).text).to.equal('GET /1');
        if (hasOwnSegment) connection.send(tail);
        const last = await connection.receive();
        const refusal = last.status === 200 ? await connection.receive() : last;
        expect(refusal.status).to.be.oneOf([400, 431]);
        expect(await connection.finished()).to.equal('');
      });
    }
  }

  it('is answered 400 if its own body is malformed', async () => {
    const connection = await open(await start());
    connection.send(post('/1', [...UPGRADE, 'Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'));
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
  });

  it('is followed by a 400 if a CONNECT follows it', async () => {
    const connection = await open(await start());
    connection.send(`${getBytes('/1', ...UPGRADE)}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    expect((await connection.receive()).text).to.equal('GET /1');
    expect((await connection.receive()).status).to.equal(400);
    expect(await connection.finished()).to.equal('');
  });

  it('is answered if the client ends its side behind the request that follows it', async () => {
    const connection = await open(await start());
    connection.send(getBytes('/1', ...UPGRADE) + getBytes('/2'));
    connection.end();
    expect((await connection.receive()).text).to.equal('GET /1');
    expect((await connection.receive()).text).to.equal('GET /2');
    expect(await connection.finished()).to.equal('');
  });

  it('is answered behind another request, and so is what follows it, if the client then ends its side', async () => {
    const connection = await open(await start());
    connection.send(getBytes('/1') + getBytes('/2', ...UPGRADE) + getBytes('/3'));
    connection.end();
    for (const url of ['/1', '/2', '/3']) expect((await connection.receive()).text).to.equal(`GET ${url}`);
    expect(await connection.finished()).to.equal('');
  });

  it('does not make the next request start before the answer has left', async () => {
    let answer = (): void => undefined;
    const started: string[] = [];
    const port = await listen(({ url = '' }, response) => {
      started.push(url);
      answer = () => void response.setHeader('Content-Length', 0).end();
      if (url === '/other') answer();
    });
    const [connection, other] = [await open(port), await open(port)];
    connection.send(getBytes('/1', ...UPGRADE) + getBytes('/2'));
    await until(() => started.length === 1);
    const answerFirst = answer;
    await other.ask(getBytes('/other'));
    expect(started).to.deep.equal(['/1', '/other']);
    answerFirst();
    await connection.receive();
    await until(() => started.length === 3);
    answer();
    expect((await connection.receive()).status).to.equal(200);
  });
});
