import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { needs } from '../support/needs.js';
import { startCommand } from '../support/command.js';
import { RawConnection } from '../support/raw-connection.js';
import { REFERENCE_FILES } from '../support/reference-files.js';
import { requestBytes } from '../support/request.js';

describe('a process that cannot open another file descriptor', function () {
  this.timeout(180_000);
  before(function () {
    needs(this, 'prlimit', ['--version']);
  });

  it('serves files of /docs that were not requested before', async () => {
    const { port, pid } = await startCommand(['--log-level', 'silent']);
    const connection = await RawConnection.open(port);
    expect((await connection.ask(requestBytes('GET', '/livez'))).status).to.equal(200);
    // Every process has its first ten descriptors in use: from here on, each attempt to open another one fails.
    execFileSync('prlimit', ['--pid', String(pid), '--nofile=10:']);
    for (const { path } of REFERENCE_FILES) {
      expect((await connection.ask(requestBytes('GET', path))).status, path).to.equal(200);
    }
  });
});
