import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run as runCommandLine } from '../../../src/bootstrap/commands/run.js';
import { printedBy, refusalOf } from '../../bootstrap/outcome.js';
import { needs } from '../../deploy/needs.js';
import { ROOT } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { catalogueOn, describeWithSqlite, newDatabaseFile, openUntilEnd } from '../../support/sqlite.js';

const REX = { name: 'Rex', categoryId: -9_223_372_036_854_775_808n, status: 'sold' } as const;

/** The shell commands of a document, block by block, that contain a text. */
function commandsWith(text: string): readonly string[] {
  const document = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const blocks = [...document.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, , block = '']) => block);
  return blocks.filter((block) => block.includes(text));
}

describeWithSqlite('the back-up of an SQLite file, by the commands of docs/operating.md,', () => {
  let file: string;

  beforeEach(async () => {
    file = join(dirname(newDatabaseFile()), 'animal-store.db');
    await (await catalogueOn(await openUntilEnd(file))).add(REX);
  });

  function run(block = 'false'): void {
    const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    execFileSync('sh', ['-euc', block], { cwd: dirname(file), env: { PATH, NODE_NO_WARNINGS: '1' } });
  }

  /** Checks that a file that was restored from the back-up has the first animal, and then adds another. */
  async function nextIdIn(name: string): Promise<bigint> {
    const catalogue = await catalogueOn(await openUntilEnd(join(dirname(file), name)));
    expect(await catalogue.find(1n)).to.deep.equal({ id: 1n, ...REX });
    return (await catalogue.add(REX)).id;
  }

  for (const [i, program] of ['sqlite3', 'node'].entries()) {
    it(`is made by ${program} while the file is open`, async function () {
      needs(this, program, ['--version']);
      run(commandsWith('VACUUM INTO')[i]);
      expect(await nextIdIn('animal-store-backup.db')).to.equal(2n);
    });
  }

  it('assigns no id twice after sqlite3 has advanced its counter', async function () {
    needs(this, 'sqlite3', ['--version']);
    run(commandsWith('sqlite_sequence')[0]);
    expect(await nextIdIn('animal-store.db')).to.equal(1_000_002n);
  });

  it('can be restored from the output of .dump', async function () {
    needs(this, 'sqlite3', ['--version']);
    run(commandsWith('.dump')[0]);
    expect(await nextIdIn('restored.db')).to.equal(2n);
  });
});

describeWithSqlite('animal-store backup', () => {
  let file: string;
  let copy: string;

  beforeEach(() => {
    file = newDatabaseFile();
    copy = `${file}-copy`;
  });

  it('copies the file while it is open, and the copy is a complete database', async () => {
    await (await catalogueOn(await openUntilEnd(file))).add(REX);
    const printed = await printedBy(['backup', copy, '--sqlite-file', file]);
    expect(printed).to.equal(`copied ${file} to ${copy}\n`);
    expect(await (await catalogueOn(await openUntilEnd(copy))).find(1n)).to.deep.equal({ id: 1n, ...REX });
  });

  it('exits with 1 and one line that names the files, and neither overwrites nor creates a file', async () => {
    const missing = await outcomeOf(['backup', copy], { SQLITE_FILE: file });
    expect(missing).to.include({ code: 1, stdout: '' });
    expect(missing.stderr).to.include(`animal-store: the SQLite file ${file} is missing\n`);
    expect(existsSync(file)).to.equal(false);
    writeFileSync(file, 'no database '.repeat(100));
    const back = async (target: string) =>
      rejectionOf(runCommandLine({ args: ['backup', target, `--sqlite-file=${file}`], env: {} }));
    expect(await back(file)).to.have.property(
      'message',
      `the SQLite file ${file} cannot be copied to ${file}, which exists already`,
    );
    const error = (await back(copy)) as Error;
    expect(error.message).to.equal(`the SQLite file ${file} cannot be copied to ${copy}`);
    expect(error.cause).to.be.instanceOf(Error);
    expect(existsSync(copy)).to.equal(false);
  });

  it('refuses a folder', async () => {
    const backUp = runCommandLine({ args: ['backup', copy, `--sqlite-file=${dirname(file)}`], env: {} });
    expect(await rejectionOf(backUp))
      .to.have.property('message')
      .that.includes(`cannot be copied to ${copy}`);
  });

  it('leaves the file closed, whose log is gone then', async () => {
    await (await openUntilEnd(file)).close();
    await printedBy(['backup', copy, '--sqlite-file', file]);
    expect([`${file}-wal`, `${file}-shm`].filter((path) => existsSync(path))).to.deep.equal([]);
  });

  it('leaves no part of a copy if the file turns out to be damaged', async () => {
    const database = await openUntilEnd(file);
    const pets = Array.from({ length: 10_000 }, (_, i) => ({ id: BigInt(i + 1), ...REX }));
    await (await catalogueOn(database)).restore(pets);
    await database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
    await rejectionOf(runCommandLine({ args: ['backup', copy, `--sqlite-file=${file}`], env: {} }));
    expect(existsSync(copy)).to.equal(false);
  });

  it('needs the name of the copy', async () => {
    expect((await refusalOf(['backup'])).errors).to.deep.equal(['FILE is required']);
  });
});
