import { expect } from 'chai';
import { rejectionOf } from '../../../support/rejection-of.js';
import type { HttpServerOptions } from '../../../../src/adapters/http/server/http-server.js';
import { getBytes, listen, open } from './serving.js';

const UPGRADE = ['Connection: Upgrade', 'Upgrade: h2c'];

const post = (target: string, fields: readonly string[], body: string): string =>
  `POST ${target} HTTP/1.1\r\n${['Host: x', ...fields].join('\r\n')}\r\n\r\n${body}`;

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

  const REQUESTS: Record<string, string> = {
    'without a body': getBytes('/1', ...UPGRADE),
    'with a body of a known length': post('/1', [...UPGRADE, 'Content-Length: 5'], 'abcde'),
    'with a body in chunks': post('/1', [...UPGRADE, 'Transfer-Encoding: chunked'], '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'),
  };

  for (const [what, request] of Object.entries(REQUESTS)) {
    it(`is served ${what}, wherever the segments end, and nothing that follows it`, async () => {
      const text = request.startsWith('POST') ? 'POST /1 abcde' : 'GET /1';
      const smuggled = getBytes('/smuggled');
      const bytes = request + post('/2', [`Content-Length: ${smuggled.length}`], smuggled) + getBytes('/3');
      for (let i = 1; i <= bytes.length; i += 13) {
        const connection = await open(await start());
        await connection.deliver(bytes.slice(0, i));
        await new Promise(setImmediate);
        connection.send(bytes.slice(i));
        expect(await connection.receive()).to.include({ text, isLast: true });
        expect(await rejectionOf(connection.receive())).to.be.instanceOf(Error);
        expect(answered).to.deep.equal([text]);
      }
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

  it('is refused with 400, or with 408 once its time is up, if its own body is malformed', async () => {
    const connection = await open(await start({ headersTimeout: 500, requestTimeout: 500 }));
    connection.send(post('/1', [...UPGRADE, 'Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'));
    expect((await connection.receive()).status).to.be.oneOf([400, 408]);
    expect(await connection.finished()).to.equal('');
  });
});
