import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Context } from 'mocha';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import type { SqliteDatabaseOptions } from '../../../src/adapters/sqlite/open-sqlite-database.js';
import { needs } from '../../support/needs.js';
import { ROOT } from '../../support/child.js';
import { nextDescriptor } from '../../support/next-descriptor.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { skip } from '../../support/skip.js';
import {
  catalogueOn,
  connectTo,
  describeWithSqlite,
  importSqlite,
  newDatabaseFile,
  openUntilEnd,
} from '../../support/sqlite.js';

const REX = { name: 'Rex', categoryId: -9_223_372_036_854_775_808n, status: 'sold' } as const;
const ACCESSES = ['prepare', 'existing', 'read-only'] as const;
const WITHOUT_PREPARATION = ['existing', 'read-only'] as const;

/** Skips a test on versions of Node 22 before this one. */
function needsNode22(context: Context, minor: number): void {
  const [major, actual = 0] = process.versions.node.split('.').map(Number);
  if (major === 22 && actual < minor) skip(context, `this needs Node.js 22.${minor} or newer`);
}

describeWithSqlite('openSqliteDatabase', () => {
  /** The message of the error with which a file is refused. */
  async function refusalOf(file: string, options?: SqliteDatabaseOptions): Promise<string> {
    const { SqliteFileError } = await importSqlite();
    const error = await rejectionOf(openUntilEnd(file, options));
    expect(error).to.be.instanceOf(SqliteFileError);
    return (error as Error).message;
  }

  async function addRexTo(file: string): Promise<void> {
    const database = await openUntilEnd(file);
    await (await catalogueOn(database)).add(REX);
    await database.close();
  }

  /** The path of a file with an animal, which is closed. */
  async function fileWithRex(): Promise<string> {
    const file = newDatabaseFile();
    await addRexTo(file);
    return file;
  }

  /** The bytes of a file, and the names in its folder. */
  function contentOf(file: string): readonly unknown[] {
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return [isFile && readFileSync(file).toString('latin1'), readdirSync(dirname(file))];
  }

  it('creates a file that several connections open concurrently', async () => {
    const file = newDatabaseFile();
    const databases = await Promise.all([1, 2, 3, 4].map(async () => openUntilEnd(file)));
    for (const database of databases) expect(await (await catalogueOn(database)).find(1n)).to.equal(undefined);
  });

  it('writes a change to the disk before it is acknowledged, blocks no readers, and needs no folder for temporary files', async () => {
    const database = await openUntilEnd();
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('temp_store')]).to.deep.equal(['wal', 2n, 2n]);
  });

  it('makes strict tables, in which each column accepts only values of its type', async () => {
    const database = await openUntilEnd();
    for (const values of [`('Rex', 'seven', NULL)`, `('Rex', 0.5, NULL)`, `(x'00', 7, NULL)`, `('Rex', 7, 'lost')`]) {
      const insert = database.prepare(`INSERT INTO pets (name, categoryId, status) VALUES ${values}`);
      expect(() => insert.run(), values).to.throw(/cannot store|constraint failed/);
    }
  });

  it('takes a file whose name looks like a URI that asks for memory', async () => {
    const file = `${dirname(newDatabaseFile())}/file:animals?mode=memory`;
    await (await catalogueOn(await openUntilEnd(file))).add(REX);
    expect(readFileSync(file).length).to.be.greaterThan(0);
  });

  describe('refuses', () => {
    const HEADER = 'These are the animals of a store, in a text of more than a hundred bytes. '.repeat(20);

    /** Ways to make a file that no access accepts, or only `prepare`, and how its refusal ends. */
    const FILES: Readonly<Record<string, readonly [make: (file: string) => unknown, reason: RegExp, empty?: true]>> = {
      'a file that is not a database': [(file) => writeFileSync(file, HEADER), /is not an SQLite database$/],
      'the database of another program': [
        async (file) => (await connectTo(file)).exec('CREATE TABLE invoices (id INTEGER PRIMARY KEY)'),
        /is the database of another program$/,
      ],
      'a file of a later version': [
        async (file) => {
          await addRexTo(file);
          (await connectTo(file)).exec('PRAGMA user_version = 2');
        },
        /has tables of version 2; this version of Animal Store knows version 1 at most$/,
      ],
      'a folder': [(file) => mkdirSync(file), /is a folder or a device, not a regular file$/],
      'a path without a file': [() => undefined, /does not exist$/, true],
      'an empty file': [(file) => writeFileSync(file, ''), /has no tables: it is empty, or a copy .* its -wal$/, true],
      'a copy without its -wal': [
        async (file) => {
          const original = newDatabaseFile();
          await (await catalogueOn(await openUntilEnd(original))).add(REX);
          copyFileSync(original, file);
        },
        /has no tables: /,
        true,
      ],
    };

    for (const [what, [make, reason, isEmpty]] of Object.entries(FILES)) {
      it(`${what}, and leaves it as it was`, async () => {
        for (const access of isEmpty ? WITHOUT_PREPARATION : ACCESSES) {
          const file = newDatabaseFile();
          await make(file);
          const before = contentOf(file);
          const message = await refusalOf(file, { access });
          expect(message.startsWith(`the SQLite file ${file} `), message).to.equal(true);
          expect(message).to.match(reason);
          expect(contentOf(file)).to.deep.equal(before);
        }
      });
    }

    it('a file in a folder that is missing', async () => {
      expect(await refusalOf(`${newDatabaseFile()}/missing/animals.db`)).to.match(/ cannot be opened: it needs a /);
    });

    it('a link that leads nowhere but to itself', async () => {
      const file = newDatabaseFile();
      symlinkSync(file, file);
      for (const access of ACCESSES) {
        expect(await refusalOf(file, { access })).to.equal(`the SQLite file ${file} cannot be opened`);
      }
    });
  });

  it('closes a file that it refuses', async () => {
    const file = newDatabaseFile();
    writeFileSync(file, 'not a database, and longer than the header of one '.repeat(20));
    const before = nextDescriptor();
    await refusalOf(file);
    expect(nextDescriptor()).to.equal(before);
  });

  it('opens an existing file for writing', async () => {
    const catalogue = await catalogueOn(await openUntilEnd(await fileWithRex(), { access: 'existing' }));
    expect((await catalogue.add(REX)).id).to.equal(2n);
  });

  describe('with read-only', () => {
    it('reads a file, refuses to write it, and leaves it and its folder as they were', async () => {
      const file = await fileWithRex();
      const before = contentOf(file);
      const database = await openUntilEnd(file, { access: 'read-only' });
      const catalogue = await catalogueOn(database);
      expect(await catalogue.find(1n)).to.deep.equal({ id: 1n, ...REX });
      expect(await rejectionOf(catalogue.add(REX))).to.have.property('message', `the SQLite file ${file} is read-only`);
      await database.close();
      expect(contentOf(file)).to.deep.equal(before);
    });

    it('reads what a process that is still running has written', async () => {
      const file = newDatabaseFile();
      const writer = await catalogueOn(await openUntilEnd(file));
      await writer.add(REX);
      const reader = await catalogueOn(await openUntilEnd(file, { access: 'read-only' }));
      await writer.add(REX);
      expect((await reader.list({ limit: 100 })).pets).to.have.lengthOf(2);
    });

    it('does not move the log of a process that was killed into the file', async () => {
      const file = newDatabaseFile();
      await (await catalogueOn(await openUntilEnd(file))).add(REX);
      const copy = newDatabaseFile();
      for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
      const database = await openUntilEnd(copy, { access: 'read-only' });
      expect(await (await catalogueOn(database)).find(1n)).to.deep.equal({ id: 1n, ...REX });
      await database.close();
      for (const end of ['', '-wal']) expect(readFileSync(copy + end).equals(readFileSync(file + end))).to.equal(true);
    });
  });

  describe('on a read-only medium', () => {
    /** What opening a file says whose folder is mounted read-only. */
    function outcomeOnReadOnly(file: string, access: SqliteDatabaseOptions['access']): string {
      const folder = dirname(file);
      const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
      return outcomeIn(['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, folder], file, {
        access,
      });
    }

    beforeEach(function () {
      needs(this, 'unshare', ['--user', '--map-root-user', '--mount', 'true']);
    });

    it('refuses a file that is to be written', async () => {
      const file = await fileWithRex();
      for (const access of ['prepare', 'existing'] as const) {
        expect(outcomeOnReadOnly(file, access)).to.match(/^the SQLite file \S+ (is read-only|cannot be opened: .*)$/);
      }
    });

    it('reads a file without a -wal, also in a folder that this user may not write', async function () {
      needsNode22(this, 15);
      const file = await fileWithRex();
      expect(outcomeOnReadOnly(file, 'read-only')).to.equal('1 animal');
      chmodSync(dirname(file), 0o555);
      try {
        // Without the rights of root outside.
        expect(outcomeIn(['unshare', '--user'], file, { access: 'read-only' })).to.equal('1 animal');
      } finally {
        chmodSync(dirname(file), 0o755);
      }
    });

    it('reads a file with its -wal and -shm, and refuses one with its -wal alone', async () => {
      const file = newDatabaseFile();
      await (await catalogueOn(await openUntilEnd(file))).add(REX);
      const copy = newDatabaseFile();
      for (const end of ['', '-wal', '-shm']) copyFileSync(file + end, copy + end);
      expect(outcomeOnReadOnly(copy, 'read-only')).to.equal('1 animal');
      const partial = newDatabaseFile();
      for (const end of ['', '-wal']) copyFileSync(file + end, partial + end);
      expect(outcomeOnReadOnly(partial, 'read-only')).to.match(/ there is also \S+\.db-wal: copy both /);
    });
  });

  /** What another process prints, which a program starts, when it opens a file: its number of animals, or the error. */
  function outcomeIn(
    [command, ...args]: readonly [string, ...string[]],
    file: string,
    options: SqliteDatabaseOptions,
  ): string {
    const script = `import { openSqliteDatabase, SqlitePetCatalogue } from './src/adapters/sqlite/index.js';
      const count = async (database) => (await new SqlitePetCatalogue(database).list({ limit: 100 })).pets.length;
      const [file, options] = ${JSON.stringify([file, options])};
      await openSqliteDatabase(file, options).then(count).then((n) => console.log(n + ' animal'), (e) => console.log(e.message));`;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    return spawnSync(command, [...args, ...node], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  }

  describe('makes a copy complete that the commands of docs/operating/sqlite.md make while the file is open:', () => {
    const document = readFileSync(join(ROOT, 'docs/operating/sqlite.md'), 'utf8');
    const commands = [...document.matchAll(/^ *((sqlite3|node) .*animal-store-backup\.db.*)$/gm)];

    it('there are some', () => expect(commands).to.have.lengthOf(3));

    for (const [, command = '', program = ''] of commands) {
      it(command, async function () {
        needs(this, program, ['--version']);
        if (command.includes('backup(')) needsNode22(this, 16);
        const file = join(dirname(newDatabaseFile()), 'animal-store.db');
        await (await catalogueOn(await openUntilEnd(file))).add(REX);
        const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
        execFileSync('sh', ['-euc', command], { cwd: dirname(file), env: { PATH, NODE_NO_WARNINGS: '1' } });
        const copy = join(dirname(file), 'animal-store-backup.db');
        expect(existsSync(`${copy}-wal`)).to.equal(false);
        expect((await (await catalogueOn(await openUntilEnd(copy))).add(REX)).id).to.equal(2n);
      });
    }
  });

  for (const [file, options, named] of [
    ['', {}, 'file'],
    [':memory:', {}, 'file'],
    ...[0, -1, 1.5, Number.NaN].map((deadlineMs) => ['animals.db', { deadlineMs }, 'deadlineMs'] as const),
  ] as const) {
    it(`takes no file "${file}" with ${inspect(options)}`, async () => {
      const error = await rejectionOf(openUntilEnd(file, options));
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes(`${named} must be`);
    });
  }
});
