import { expect } from 'chai';
import { closeSync, existsSync, openSync } from 'node:fs';
import { runCommand } from '../../support/command.js';
import { skip } from '../../support/skip.js';
import { storeFile } from '../store-file.js';

const FULL = '/dev/full';

describe('an output that cannot be written', () => {
  let full: number;

  before(function () {
    if (!existsSync(FULL)) skip(this, `there is no ${FULL}`);
    full = openSync(FULL, 'w');
  });

  after(() => {
    if (existsSync(FULL)) closeSync(full);
  });

  it('does not change the exit code of --version', async () => {
    const { code } = await runCommand(['--version'], {}, { stdout: full }).exited;
    expect(code).to.equal(0);
  });

  it('ends an export with 1, and says that it is incomplete', async () => {
    const store = storeFile('({ list: async () => ({ pets: [] }) })');
    const command = runCommand(['export', `--store=${store}`], {}, { stdout: full });
    expect((await command.exited).code).to.equal(1);
    expect(command.stderr).to.include(
      'the standard output could not be written to its end\n  the output is incomplete\n  cause: ENOSPC',
    );
  });

  it('does not change the exit code of a bad configuration', async () => {
    const { code } = await runCommand(['serve', '--port=x'], {}, { stderr: full }).exited;
    expect(code).to.equal(2);
  });
});
