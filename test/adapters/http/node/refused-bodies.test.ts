import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { HttpError } from '../../../../src/adapters/http/pipeline/errors.js';
import type { HttpServerOptions } from '../../../../src/adapters/http/server/http-server.js';
import { readBody } from '../../../../src/adapters/http/node/read-body.js';
import type { Rejection } from '../../../../src/adapters/http/server/rejections.js';
import type { RawConnection } from '../../../support/raw-connection.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { listen, open } from '../server/serving.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const BAD_CHUNK = `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n`;
const HALF = `${HEAD}Content-Length: 9\r\n\r\nx`;

describe('a body that does not arrive', () => {
  let ends: Promise<unknown>[];
  let rejections: Rejection[];

  /** A server whose handler reads every body, and notes how that ends. */
  async function start(limits: HttpServerOptions = {}): Promise<number> {
    ends = [];
    rejections = [];
    return listen(
      async (request) => {
        ends.push(rejectionOf(readBody(request, 1000)));
        await Promise.allSettled(ends);
      },
      { ...limits, onRejected: (rejection) => rejections.push(rejection) },
    );
  }

  const ENDED = 'the request ended before its body was complete';
  type Leave = (connection: RawConnection) => void;
  /** What is sent and done, the status and the message of the response, and the limits that the server reports. */
  const CASES: readonly (readonly [why: string, bytes: string, Leave, number | undefined, string, unknown[]])[] = [
    ['in time', HALF, () => undefined, 408, 'the request did not arrive in time', ['time']],
    ['well-formed', BAD_CHUNK, () => undefined, 400, 'the size of a chunk must be hexadecimal digits', [undefined]],
    ['because the client ends its side', HALF, (connection) => connection.end(), 400, ENDED, []],
    ['because the client closes the connection', HALF, (connection) => connection.destroy(), undefined, ENDED, []],
    ['because the client resets the connection', HALF, (connection) => connection.reset(), undefined, ENDED, []],
  ];

  for (const [why, bytes, leave, status, message, exceeded] of CASES) {
    it(`${why} rejects the handler's readBody with the error that the client gets`, async () => {
      const limits = status === 408 ? { requestTimeout: 500, headersTimeout: 500 } : {};
      const connection = await open(await start(limits));
      connection.send(bytes);
      await until(() => ends.length === 1);
      leave(connection);
      if (status !== undefined) expect((await connection.receive()).json).to.include({ status, message });
      const error = await ends[0];
      expect(error).to.be.instanceOf(HttpError).with.property('message', message);
      // The server reports the limit; the handler's report would count it again.
      expect(error).to.have.property('limit', undefined);
      expect(rejections.map(({ limit }) => limit)).to.deep.equal(exceeded);
    });
  }

  for (const [why, { bytes, leave }] of Object.entries({
    'a chunk is malformed': { bytes: BAD_CHUNK, leave: false },
    'the client closes the connection': { bytes: HALF, leave: true },
  })) {
    it(`is not logged if the handler lets the error pass, because ${why}`, async () => {
      const errors: object[] = [];
      let reading: Promise<string> | undefined;
      const port = await listen(async (request) => (reading = text(request)), {
        log: { error: (fields) => errors.push(fields) },
      });
      const connection = await open(port);
      connection.send(bytes);
      await until(() => reading !== undefined);
      if (leave) connection.destroy();
      await rejectionOf(reading as unknown as Promise<string>);
      await new Promise(setImmediate);
      expect(errors).to.deep.equal([]);
    });
  }

  it('is not reported if the client ends its side before the header section has arrived', async () => {
    const connection = await open(await start());
    connection.send('GET / HTTP/1.1\r\nHo');
    connection.end();
    const message = 'the request ended before its header section was whole';
    expect((await connection.receive()).json).to.include({ code: 'bad_request', message, status: 400 });
    await connection.finished();
    expect(rejections).to.deep.equal([]);
  });
});
