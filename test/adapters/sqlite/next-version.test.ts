import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, TSX_LOADER } from '../../support/child.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { catalogueOn, describeWithSqlite, newDatabaseFile, openUntilEnd } from '../../support/sqlite.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

/** What the next version adds to the tables. */
const NEXT_STEP = 'ALTER TABLE pets ADD COLUMN colour TEXT; CREATE INDEX petsByColour ON pets (colour)';

/** A copy of this program whose tables have one version more. Returns what runs one of its commands, and gives its output. */
function makeNextProgram(): (...args: string[]) => string {
  const folder = makeTemporaryFolder();
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const schema = join(folder, 'src/adapters/sqlite/schema.ts');
  const text = readFileSync(schema, 'utf8');
  writeFileSync(schema, text.replace(/^\];$/m, `  '${NEXT_STEP}',\n];`));
  const cli = join(folder, 'src/bootstrap/cli.ts');
  const env = { PATH: process.env['PATH'] };
  return (...args) =>
    execFileSync(process.execPath, [...TSX_LOADER, cli, ...args], { env, encoding: 'utf8', stdio: 'pipe' });
}

describeWithSqlite('a file of this version, and a program of the next one', () => {
  it('is refused by commands that only read, is brought to the next version by those that prepare a store, and is then refused here', async () => {
    const run = makeNextProgram();
    const file = newDatabaseFile();
    const here = await openUntilEnd(file);
    const catalogue = await catalogueOn(here);
    const { pet } = await catalogue.addOnce(REX, 'key');
    const store = `--sqlite-file=${file}`;

    expect(() => run('export', store)).to.throw(
      `the SQLite file ${file} has tables of version 1; this version of Animal Store needs version 2, to which the commands that prepare a store bring it`,
    );
    expect(run('keys', 'create', '--name=anna', store)).to.match(/^key {6}ask_/m);
    expect(run('export', store)).to.match(/^\{"id":1,"name":"Rex","categoryId":7,"\w+":"[0-9a-f]{64}"\}$/m);

    // A process that has the file open goes on.
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ pet, replayed: true });
    expect(await catalogue.add(REX)).to.include(REX);
    const error = await rejectionOf(openUntilEnd(file));
    expect((error as Error).message).to.match(/ has tables of version 2; .* knows version 1 at most$/);
  });
});
