import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteDatabaseOptions } from '../../../src/adapters/sqlite/sqlite-database.js';
import type { Pet } from '../../../src/domain/pet.js';
import { needs } from '../../deploy/needs.js';
import { ROOT } from '../../support/child.js';
import { nextDescriptor } from '../../support/next-descriptor.js';
import { rejectionOf } from '../../support/rejection-of.js';
import {
  addOnFullDisk,
  catalogueOn,
  connectTo,
  describeWithSqlite,
  importSqlite,
  newDatabaseFile,
  openUntilEnd,
} from '../../support/sqlite.js';

const REX = { name: 'Rex', categoryId: -9_223_372_036_854_775_808n, status: 'sold' } as const;

describeWithSqlite('a database file of SQLite', () => {
  /** The error message that another process prints when a program opens a file. */
  function openInSandbox(file: string, program: readonly [string, ...string[]]): string {
    const script = `import { openSqliteDatabase } from './src/adapters/sqlite/index.js';
      await openSqliteDatabase(${JSON.stringify(file)}, { deadlineMs: 1 }).catch((error) => console.log(error.message));`;
    const [command, ...args] = program;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    return spawnSync(command, [...args, ...node], { cwd: ROOT, encoding: 'utf8' }).stdout;
  }

  /** The message of the error with which a file is refused. */
  async function refusalOf(file: string): Promise<string> {
    const { SqliteFileError } = await importSqlite();
    const error = await rejectionOf(openUntilEnd(file));
    expect(error).to.be.instanceOf(SqliteFileError);
    return (error as Error).message;
  }

  it('stores one animal for an idempotency key that several connections send concurrently', async () => {
    const file = newDatabaseFile();
    const catalogues = await Promise.all([1, 2, 3].map(async () => catalogueOn(await openUntilEnd(file))));
    const creations = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => catalogues[i % 3]?.addOnce(REX, 'order 1')),
    );
    expect(new Set(creations.map((creation) => creation?.pet.id)).size).to.equal(1);
    expect(creations.filter((creation) => creation?.replayed === false)).to.have.length(1);
  });

  it('can be created by several connections concurrently', async () => {
    const file = newDatabaseFile();
    const databases = await Promise.all([1, 2, 3, 4].map(async () => openUntilEnd(file)));
    for (const database of databases) expect(await (await catalogueOn(database)).find(1n)).to.equal(undefined);
  });

  it('never assigns the id of an animal that was deleted by hand', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const rex = await catalogue.add(REX);
    database.prepare('DELETE FROM pets').run();
    expect((await catalogue.add(REX)).id).to.equal(rex.id + 1n);
  });

  it('never assigns the ids of animals that were deleted by hand to a batch', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const batch = (name: string) =>
      Array.from({ length: 50 }, (_, i) => ({ newPet: REX, idempotencyKey: `${name} ${i}` }));
    await catalogue.addManyOnce(batch('first'));
    database.prepare('DELETE FROM pets').run();
    const creations = await catalogue.addManyOnce(batch('second'));
    expect(creations.map(({ pet }) => pet.id)).to.deep.equal(Array.from({ length: 50 }, (_, i) => BigInt(i + 51)));
  });

  it('finds the animals of a status, and the creations that it may forget, by an index', async () => {
    const database = await openUntilEnd();
    const planOf = (sql: string): string =>
      JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(), (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
    expect(planOf(`SELECT * FROM pets WHERE status = 'sold' AND id > 1 ORDER BY id`))
      .to.include('petsByStatus')
      .and.not.include('TEMP B-TREE');
    expect(planOf('SELECT digest FROM creations WHERE at < 1 ORDER BY at'))
      .to.include('creationsByTime')
      .and.not.include('TEMP B-TREE');
  });

  it('writes a change to the disk before it is acknowledged, and does not block readers', async () => {
    const database = await openUntilEnd();
    expect(database.prepare('PRAGMA journal_mode').get()).to.deep.equal(['wal']);
    expect(database.prepare('PRAGMA synchronous').get()).to.deep.equal([2n]);
  });

  it('blocks the event loop only for a short time while it waits for a lock', async () => {
    const [timeout] = Object.values((await openUntilEnd()).prepare('PRAGMA busy_timeout').get() ?? {});
    expect(Number(timeout)).to.be.within(1, 50);
  });

  it('lets the event loop turn between the transactions of many writes', async () => {
    const catalogue = await catalogueOn();
    let turns = 0;
    const turn = (): void => void (turns++, (next = setImmediate(turn)));
    let next = setImmediate(turn);
    await Promise.all(Array.from({ length: 2000 }, async () => catalogue.add(REX)));
    clearImmediate(next);
    expect(turns).to.be.greaterThan(5);
  });

  it('has strict tables, in which each column accepts only values of its type', async () => {
    const database = await openUntilEnd();
    for (const values of [`('Rex', 'seven', NULL)`, `('Rex', 0.5, NULL)`, `(x'00', 7, NULL)`, `('Rex', 7, 'lost')`]) {
      const insert = database.prepare(`INSERT INTO pets (name, categoryId, status) VALUES ${values}`);
      expect(() => insert.run(), values).to.throw(/cannot store|constraint failed/);
    }
  });

  describe('is migrated in one transaction:', () => {
    /** Runs something while this version has a further migration. */
    async function withMigration<T>(sql: string, run: () => Promise<T>): Promise<T> {
      const { MIGRATIONS } = await import('../../../src/adapters/sqlite/schema.js');
      const migrations = MIGRATIONS as string[];
      migrations.push(sql);
      try {
        return await run();
      } finally {
        migrations.pop();
      }
    }

    /** A file of this version with an animal. */
    async function fileWithRex(): Promise<{ file: string; rex: Pet }> {
      const file = newDatabaseFile();
      const database = await openUntilEnd(file);
      const rex = await (await catalogueOn(database)).add(REX);
      await database.close();
      return { file, rex };
    }

    const BROKEN = 'CREATE TABLE owners (id INTEGER PRIMARY KEY) STRICT; INSERT INTO missing VALUES (1);';

    it('a new file is left empty if a migration fails, and can be opened later', async () => {
      const file = newDatabaseFile();
      const error = await withMigration(BROKEN, async () => rejectionOf(openUntilEnd(file)));
      expect(error).to.have.property('message').that.includes(file).and.includes('no such table: missing');
      const connection = await connectTo(file);
      expect(connection.prepare('SELECT name FROM sqlite_schema').all()).to.deep.equal([]);
      expect({ ...connection.prepare('PRAGMA user_version').get() }).to.deep.equal({ user_version: 0 });
      expect((await (await catalogueOn(await openUntilEnd(file))).add(REX)).id).to.equal(1n);
    });

    it('an older file is left as it was if a migration fails', async () => {
      const { file, rex } = await fileWithRex();
      await withMigration(BROKEN, async () => rejectionOf(openUntilEnd(file)));
      const database = await openUntilEnd(file);
      expect(database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'owners'`).all()).to.deep.equal([]);
      expect(await (await catalogueOn(database)).find(rex.id)).to.deep.equal(rex);
    });

    it('an older file gets only the migrations that it lacks, and is refused by the older version from then on', async () => {
      const { file, rex } = await fileWithRex();
      await withMigration('CREATE TABLE owners (id INTEGER PRIMARY KEY) STRICT;', async () => {
        const database = await openUntilEnd(file);
        expect(database.prepare('SELECT * FROM owners').all()).to.deep.equal([]);
        expect(await (await catalogueOn(database)).find(rex.id)).to.deep.equal(rex);
        await database.close();
      });
      expect(await refusalOf(file)).to.match(/ was written by a newer version of Animal Store: it has schema \d+, /);
    });
  });

  it('undoes only the write that fails, alone and among those that share a transaction', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const insert = database.prepare(`INSERT INTO pets (name, categoryId) VALUES ('Tom', 1)`);
    const failing = async () =>
      database.write(() => {
        insert.run();
        throw new RangeError('too late');
      });
    expect(await rejectionOf(failing())).to.be.instanceOf(RangeError);
    const outcomes = await Promise.allSettled([catalogue.add(REX), failing(), catalogue.add(REX)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect((await catalogue.list({ limit: 100 })).pets.map(({ name }) => name)).to.deep.equal(['Rex', 'Rex']);
  });

  it('can be written again after a commit has failed', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    database
      .prepare('CREATE TABLE owners (petId INTEGER REFERENCES pets (id) DEFERRABLE INITIALLY DEFERRED) STRICT')
      .get();
    const insert = database.prepare('INSERT INTO owners (petId) VALUES (7)');
    expect(await rejectionOf(database.write(() => insert.run()))).to.have.property('name', 'SqliteFileError');
    expect((await catalogue.add(REX)).id).to.equal(1n);
  });

  /** A catalogue on a file that another connection has locked against writes, and a function that unlocks it. */
  async function lockedCatalogue(options?: SqliteDatabaseOptions) {
    const file = newDatabaseFile();
    const catalogue = await catalogueOn(await openUntilEnd(file, options));
    // Closed first, so that no write waits for its lock if the test fails.
    const other = await connectTo(file);
    other.exec('BEGIN IMMEDIATE');
    return { catalogue, unlock: () => other.exec('ROLLBACK') };
  }

  it('rejects writes with store_unavailable while another connection has it locked until the deadline', async () => {
    const { catalogue, unlock } = await lockedCatalogue({ deadlineMs: 1 });
    const timer = setTimeout(unlock, 100);
    expect(await rejectionOf(catalogue.add(REX))).to.include({ code: 'store_unavailable' });
    clearTimeout(timer);
    unlock();
    expect((await catalogue.add(REX)).id).to.equal(1n);
  });

  describe('that another connection has locked exclusively', () => {
    /** A file that another connection has locked against readers, and a function that unlocks it. */
    async function lockedFile(): Promise<{ file: string; unlock: () => void }> {
      const file = newDatabaseFile();
      const other = await connectTo(file);
      other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const unlock = (): void => other.exec('PRAGMA locking_mode = NORMAL; COMMIT; SELECT 1 FROM sqlite_schema');
      return { file, unlock };
    }

    it('is opened once that one unlocks it', async () => {
      const { file, unlock } = await lockedFile();
      const opened = openUntilEnd(file);
      setTimeout(unlock, 100);
      expect((await (await catalogueOn(await opened)).add(REX)).id).to.equal(1n);
    });

    it('is refused with store_unavailable if that takes longer than the deadline', async () => {
      const { file, unlock } = await lockedFile();
      await importSqlite();
      const timer = setTimeout(unlock, 100);
      const error = await rejectionOf(openUntilEnd(file, { deadlineMs: 1 }));
      clearTimeout(timer);
      expect(error).to.include({ code: 'store_unavailable' }).and.to.have.property('message').that.includes(file);
    });
  });

  describe('reads', () => {
    /** A function that throws the error of a locked database a number of times, and then returns how often it was called. */
    function lockedFor(times: number): () => number {
      let calls = 0;
      return () => {
        calls++;
        if (calls > times) return calls;
        throw Object.assign(new Error('database is locked'), { errcode: 5 });
      };
    }

    it('again while it is locked, after pauses that stay short', async () => {
      // Pauses that go on growing would outlast the deadline.
      const database = await openUntilEnd(newDatabaseFile(), { deadlineMs: 20_000 });
      expect(await database.read(lockedFor(20))).to.equal(21);
    });

    it('no longer than until the deadline', async () => {
      const database = await openUntilEnd(newDatabaseFile(), { deadlineMs: 1 });
      const error = await rejectionOf(database.read(lockedFor(20)));
      expect(error).to.have.property('code', 'store_unavailable');
    });

    it('once if that fails for another reason', async () => {
      const broken = new Error('no such column');
      const database = await openUntilEnd();
      let reads = 0;
      const read = (): never => {
        reads++;
        throw broken;
      };
      expect(await rejectionOf(database.read(read))).to.equal(broken);
      expect(reads).to.equal(1);
    });
  });

  it('cannot be used after it is closed', async () => {
    const database = await openUntilEnd();
    database.check();
    await database.close();
    expect(() => database.check()).to.throw(' is closed');
  });

  it('keeps nothing in the event loop once everything is written', async () => {
    const catalogue = await catalogueOn();
    await catalogue.add(REX);
    for (let i = 0; i < 3; i++) await new Promise(setImmediate);
    expect(process.getActiveResourcesInfo()).not.to.include('Immediate');
  });

  it('waits for another connection without blocking the event loop', async () => {
    const { catalogue, unlock } = await lockedCatalogue();
    const added = catalogue.add(REX);
    // Only the event loop can release the lock that the call waits for.
    setTimeout(unlock, 150);
    expect((await added).id).to.equal(1n);
  });

  it('names the file on a full disk, and loses nothing that was acknowledged', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const rex = await catalogue.add(REX);
    const results = await addOnFullDisk(database, catalogue);
    const failed = results.find((result) => result.status === 'rejected');
    expect(failed?.reason)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/^the SQLite file \S+ cannot be written: the disk is full$/);
    database.prepare('PRAGMA max_page_count = 1000000').get();
    expect(await catalogue.find(rex.id)).to.deep.equal(rex);
    expect((await catalogue.add(REX)).id > rex.id).to.equal(true);
  });

  it('rejects all writes of a transaction that cannot be written, and stores none of them', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const results = await addOnFullDisk(database, catalogue);
    database.prepare('PRAGMA max_page_count = 1000000').get();
    const stored = (await catalogue.list({ limit: 100 })).pets.length;
    expect(stored).to.equal(results.filter(({ status }) => status === 'fulfilled').length);
  });

  it('forgets an idempotency key after a day, and not earlier', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const age = database.prepare('UPDATE creations SET at = at - ?');
    await catalogue.addOnce(REX, 'order 1');
    age.run(24 * 3_600_000);
    expect(await catalogue.addOnce(REX, 'order 1')).to.include({ replayed: true });
    age.run(2 * 3_600_000);
    expect(await catalogue.addOnce(REX, 'order 1')).to.include({ replayed: false });
  });

  it('forgets an idempotency key after a day, also if animals are stored in batches alone', async () => {
    const database = await openUntilEnd();
    const catalogue = await catalogueOn(database);
    const batch = [{ newPet: REX, idempotencyKey: 'order 1' }];
    await catalogue.addManyOnce(batch);
    database.prepare('UPDATE creations SET at = at - ?').run(26 * 3_600_000);
    expect((await catalogue.addManyOnce(batch))[0]).to.include({ replayed: false });
  });

  it('can be closed more than once, and first writes pending changes', async () => {
    const file = newDatabaseFile();
    const database = await openUntilEnd(file);
    const added = (await catalogueOn(database)).add(REX);
    await Promise.all([database.close(), database.close()]);
    const { id } = await added;
    expect(await (await catalogueOn(await openUntilEnd(file))).find(id)).to.deep.equal({ id, ...REX });
  });

  it('is closed again if it is refused', async () => {
    const file = newDatabaseFile();
    writeFileSync(file, 'not a database, and longer than the header of one '.repeat(20));
    const before = nextDescriptor();
    await refusalOf(file);
    expect(nextDescriptor()).to.equal(before);
  });

  describe('is refused, and left as it was,', () => {
    it('if it is not a database', async () => {
      const file = newDatabaseFile();
      writeFileSync(file, 'These are the animals of a store, in a text of more than a hundred bytes, '.repeat(20));
      const before = readFileSync(file);
      expect(await refusalOf(file)).to.equal(`the SQLite file ${file} is not an SQLite database`);
      expect(readFileSync(file).equals(before)).to.equal(true);
    });

    it('if it is the database of another program', async () => {
      const file = newDatabaseFile();
      (await connectTo(file)).exec('CREATE TABLE invoices (id INTEGER PRIMARY KEY)');
      expect(await refusalOf(file)).to.equal(`the SQLite file ${file} is the database of another program`);
    });

    for (const [what, pathOf] of [
      ['it is on a file system that is read-only', dirname],
      ['it may not be written, in a folder that may', String],
    ] as const) {
      it(`if ${what}`, async function () {
        needs(this, 'bwrap', ['--dev-bind', '/', '/', 'true']);
        const file = newDatabaseFile();
        await (await openUntilEnd(file)).close();
        const path = pathOf(file);
        const stdout = openInSandbox(file, ['bwrap', '--dev-bind', '/', '/', '--ro-bind', path, path]);
        expect(stdout).to.match(/^the SQLite file \S+ (is read-only|cannot be opened: .*)\n$/);
      });
    }

    it('if its file system has no locks', async function () {
      const file = newDatabaseFile();
      await (await openUntilEnd(file)).close();
      const fault = ['--follow-forks', '--trace=fcntl', `--trace-path=${file}`, '--inject=fcntl:error=ENOLCK'];
      needs(this, 'strace', ['--quiet=all', ...fault, 'true']);
      const stdout = openInSandbox(file, ['strace', '--quiet=all', ...fault]);
      expect(stdout).to.match(/^the SQLite file \S+ could not be locked: .* its file system has no locks, .*\n$/);
    });

    it('if its folder is missing', async () => {
      const file = `${newDatabaseFile()}/missing/animals.db`;
      expect(await refusalOf(file)).to.match(/ cannot be opened: it needs a folder that exists, /);
    });

    it('if it is a folder', async () => {
      const file = newDatabaseFile();
      mkdirSync(file);
      expect(await refusalOf(file)).to.match(/ cannot be opened: /);
    });
  });

  it('is a file, even if its name looks like a URI that asks for memory', async () => {
    const file = `${dirname(newDatabaseFile())}/file:animals?mode=memory`;
    await (await catalogueOn(await openUntilEnd(file))).add(REX);
    expect(readFileSync(file).length).to.be.greaterThan(0);
  });

  for (const file of ['', ':memory:']) {
    it(`cannot be called ${JSON.stringify(file)}`, async () => {
      expect(await rejectionOf(openUntilEnd(file)))
        .to.be.instanceOf(TypeError)
        .with.property('message')
        .that.includes('file');
    });
  }

  for (const deadlineMs of [0, -1, 1.5, Number.NaN]) {
    it(`cannot have a deadline of ${deadlineMs}`, async () => {
      const error = await rejectionOf(openUntilEnd(newDatabaseFile(), { deadlineMs }));
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('deadlineMs');
    });
  }
});
