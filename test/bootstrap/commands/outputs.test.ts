import { expect } from 'chai';
import { closeSync, existsSync, openSync } from 'node:fs';
import { TSX_LOADER } from '../../support/child.js';
import { runCommand } from '../../support/command.js';
import { skip } from '../../support/skip.js';
import { STORE } from './kept-store.js';

const FULL = '/dev/full';
/** The store is TypeScript, which Node 20 cannot load by itself. */
const ENV = { NODE_OPTIONS: TSX_LOADER.join('=') };

describe('an output that cannot be written', () => {
  let full: number;

  before(function () {
    if (!existsSync(FULL)) skip(this, `there is no ${FULL}`);
    full = openSync(FULL, 'w');
  });

  after(() => {
    if (existsSync(FULL)) closeSync(full);
  });

  for (const line of [
    'help',
    '--version',
    'version',
    'openapi',
    `export --store ${STORE}`,
    `keys list --store ${STORE}`,
  ]) {
    it(`ends ${line.split(' --store')[0]} with 1 and one line`, async () => {
      const command = runCommand(line.split(' '), ENV, { stdout: full });
      expect((await command.exited).code).to.equal(1);
      expect(command.stderr).to.match(/^animal-store: the standard output cannot be written: ENOSPC.*\n$/);
    });
  }

  it('ends keys create with 1, and names the key that was not printed', async () => {
    const command = runCommand(['keys', 'create', '--name=anna', `--store=${STORE}`], ENV, { stdout: full });
    expect((await command.exited).code).to.equal(1);
    expect(command.stderr).to.match(
      /^animal-store: the key (\S+) was not printed; revoke it: animal-store keys revoke \1: /,
    );
  });

  it('does not change the exit code of a bad configuration', async () => {
    const { code } = await runCommand(['serve', '--port=x'], {}, { stderr: full }).exited;
    expect(code).to.equal(2);
  });
});
