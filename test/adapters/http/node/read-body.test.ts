import { expect } from 'chai';
import { HttpError } from '../../../../src/adapters/http/pipeline/errors.js';
import { readBody } from '../../../../src/adapters/http/node/read-body.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from '../server/serving.js';

const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi';

describe('readBody', () => {
  it('reads the whole body even if something else listens for it', async () => {
    let counted = 0;
    const port = await listen(async (request, response) => {
      request.on('data', (chunk: Buffer) => (counted += chunk.length));
      response.end(await readBody(request, 9));
    });
    expect((await (await open(port)).ask(POST)).text).to.equal('hi');
    expect(counted).to.equal(2);
  });

  it('reads a body whose second piece is many times as large as its first', async () => {
    let isListening = false;
    const port = await listen(async (request, response) => {
      const reading = readBody(request, 10);
      await until(() => request.listenerCount('data') > 0);
      isListening = true;
      response.end(await reading);
    });
    const connection = await open(port);
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\na');
    await until(() => isListening);
    expect((await connection.ask('bcdefghij')).text).to.equal('abcdefghij');
  });

  for (const [limit, outcome] of [
    [2, 'read'],
    [1, 'body_too_large'],
  ] as const) {
    it(`limits two bytes that arrived together to ${limit}`, async () => {
      const port = await listen(async (request, response) => {
        const end = await readBody(request, limit).catch((error: unknown) => error);
        response.end(end instanceof HttpError ? end.code : 'read');
      });
      expect((await (await open(port)).ask(POST)).text).to.equal(outcome);
    });
  }

  it('rejects if the request ends before its body is complete, even before readBody listens', async () => {
    let error: unknown;
    const port = await listen(async (request) => {
      const reading = readBody(request, 9);
      request.destroy();
      error = await rejectionOf(reading);
    });
    const connection = await open(port);
    connection.send(getBytes('/', 'Content-Length: 2'));
    await connection.closed;
    expect(error).to.be.instanceOf(HttpError).with.property('code', 'bad_request');
    expect(String(error)).to.equal('HttpError: the request ended before its body was complete');
  });
});
