import { expect } from 'chai';
import { startCommand, type RunningCommand } from '../support/command.js';
import { peakMemoryOf } from '../support/peak-memory.js';
import { RawConnection } from '../support/raw-connection.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { requestBytes } from '../support/request.js';
import { skip } from '../support/skip.js';

/** Far more than the process needs with one copy of the file, and far less than with one for each request. */
const MAX_MEMORY = 300 * 2 ** 20;

describe('requests for a file of /docs, on a fresh process', function () {
  this.timeout(180_000);
  let command: RunningCommand;

  beforeEach(async function () {
    if (process.platform !== 'linux') skip(this, 'it reads /proc');
    command = await startCommand(['--log-level', 'warn']);
  });

  afterEach(async () => command.stop());

  for (const [method, connections, count] of [
    ['HEAD', 1, 400],
    ['GET', 1, 30],
    ['HEAD', 400, 1],
  ] as const) {
    it(`share one copy of the file: ${count} ${method} on each of ${connections} connections`, async () => {
      const open = Array.from({ length: connections }, async () => RawConnection.open(command.port));
      await Promise.all(
        (await Promise.all(open)).map(async (connection) => {
          connection.send(Buffer.concat(Array.from({ length: count }, () => requestBytes(method, BUNDLE_PATH))));
          for (let i = 0; i < count; i++) {
            expect((await connection.receive({ head: method === 'HEAD' })).status).to.equal(200);
          }
        }),
      );
      expect(peakMemoryOf(command.pid)).to.be.below(MAX_MEMORY);
    });
  }
});
