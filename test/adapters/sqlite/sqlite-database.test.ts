import { expect } from 'chai';
import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { SqliteDatabaseOptions } from '../../../src/adapters/sqlite/open-sqlite-database.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';
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

const REX = { name: 'Rex', categoryId: 7n } as const;

describeWithSqlite('SqliteDatabase', () => {
  describe('with writes that arrive together', () => {
    it('lets the event loop turn between its transactions', async () => {
      const catalogue = await catalogueOn();
      let turns = 0;
      const turn = (): void => void (turns++, (next = setImmediate(turn)));
      let next = setImmediate(turn);
      await Promise.all(Array.from({ length: 2000 }, async () => catalogue.add(REX)));
      clearImmediate(next);
      expect(turns).to.be.greaterThan(5);
    });

    it('rejects only the creation that is refused', async () => {
      const catalogue = await catalogueOn();
      await catalogue.addOnce(REX, 'order 1');
      const tom = { ...REX, name: 'Tom' };
      const outcomes = await Promise.allSettled([
        catalogue.add(REX),
        catalogue.addOnce(tom, 'order 1'),
        catalogue.add(REX),
      ]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect((await catalogue.list({ limit: 100 })).pets).to.have.lengthOf(3);
    });

    it('stores exactly those that it acknowledges on a full disk, and names the file', async () => {
      const database = await openUntilEnd();
      const catalogue = await catalogueOn(database);
      const results = await addOnFullDisk(database, catalogue);
      const failed = results.find((result) => result.status === 'rejected');
      expect(failed?.reason).to.be.instanceOf((await importSqlite()).SqliteFileError);
      expect(failed?.reason)
        .to.have.property('message')
        .that.matches(/^the SQLite file \S+ cannot be written: the disk is full$/);
      database.prepare('PRAGMA max_page_count = 1000000').get();
      const stored = (await catalogue.list({ limit: 100 })).pets.length;
      expect(stored).to.equal(results.filter(({ status }) => status === 'fulfilled').length);
      expect((await catalogue.add(REX)).id > BigInt(stored)).to.equal(true);
    });

    it('rejects them with the error of the write if the transaction cannot be rolled back either, and tries that again', async () => {
      const file = newDatabaseFile();
      const connection = await connectTo(file);
      const { exec } = connection;
      let failures = 1;
      connection.exec = (sql) => {
        if (sql === 'ROLLBACK' && failures-- > 0) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
        exec.call(connection, sql);
      };
      const { SqliteDatabase } = await import('../../../src/adapters/sqlite/sqlite-database.js');
      const database = new SqliteDatabase(connection, file, 1000);
      const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
      const fail = (): never => {
        throw full;
      };
      const writes = [database.write(() => 1), database.write(fail)].map(rejectionOf);
      for (const error of await Promise.all(writes)) expect(error).to.have.property('cause', full);
      expect(await database.write(() => 2)).to.equal(2);
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
  });

  describe('while another connection has the file locked', () => {
    /** A catalogue on a file that another connection has locked against writes, and a function that unlocks it. */
    async function lockedCatalogue(options?: SqliteDatabaseOptions) {
      const file = newDatabaseFile();
      const catalogue = await catalogueOn(await openUntilEnd(file, options));
      // Closed first, so that no write waits for its lock if the test fails.
      const other = await connectTo(file);
      other.exec('BEGIN IMMEDIATE');
      return { catalogue, unlock: () => other.exec('ROLLBACK') };
    }

    /** A file that another connection has locked against readers too, and a function that unlocks it. */
    async function lockedFile(): Promise<{ file: string; unlock: () => void }> {
      const file = newDatabaseFile();
      const other = await connectTo(file);
      other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const unlock = (): void => other.exec('PRAGMA locking_mode = NORMAL; COMMIT; SELECT 1 FROM sqlite_schema');
      return { file, unlock };
    }

    it('waits without blocking the event loop', async () => {
      const { catalogue, unlock } = await lockedCatalogue();
      const added = catalogue.add(REX);
      // Only the event loop can release the lock that the call waits for.
      setTimeout(unlock, 150);
      expect((await added).id).to.equal(1n);
    });

    it('rejects writes with store_unavailable after the deadline, and writes once it is unlocked', async () => {
      const { catalogue, unlock } = await lockedCatalogue({ deadlineMs: 1 });
      expect(await rejectionOf(catalogue.add(REX))).to.include({ code: 'store_unavailable' });
      unlock();
      expect((await catalogue.add(REX)).id).to.equal(1n);
    });

    it('is opened once that one unlocks it', async () => {
      const { file, unlock } = await lockedFile();
      const opened = openUntilEnd(file);
      setTimeout(unlock, 100);
      expect((await (await catalogueOn(await opened)).add(REX)).id).to.equal(1n);
    });

    it('is not opened after the deadline', async () => {
      const { file } = await lockedFile();
      const error = await rejectionOf(openUntilEnd(file, { deadlineMs: 1 }));
      expect(error).to.include({ code: 'store_unavailable' }).and.to.have.property('message').that.includes(file);
    });

    /** Throws the error of a locked database a number of times, and then returns how often it was called. */
    function lockedFor(times: number): () => number {
      let calls = 0;
      return () => {
        calls++;
        if (calls > times) return calls;
        throw Object.assign(new Error('database is locked'), { errcode: 5 });
      };
    }

    it('reads again until the deadline, and then rejects with store_unavailable', async () => {
      expect(await (await openUntilEnd()).read(lockedFor(5))).to.equal(6);
      const hasty = await openUntilEnd(newDatabaseFile(), { deadlineMs: 1 });
      expect(await rejectionOf(hasty.read(lockedFor(5)))).to.have.property('code', 'store_unavailable');
    });
  });

  describe('whose file is gone', () => {
    const GONE: Readonly<Record<string, (file: string) => void>> = {
      removed: (file) => rmSync(file),
      moved: (file) => renameSync(file, `${file}.old`),
      'replaced by a copy': (file) => {
        copyFileSync(file, `${file}-copy`);
        renameSync(`${file}-copy`, file);
      },
    };

    for (const [how, spoil] of Object.entries(GONE)) {
      it(`is not ready, and acknowledges no write within a second, after it was ${how}`, async () => {
        const file = newDatabaseFile();
        const database = await openUntilEnd(file);
        const catalogue = await catalogueOn(database);
        await catalogue.add(REX);
        spoil(file);
        const message = `the SQLite file ${file} was moved, removed or replaced while it was open`;
        let error: unknown;
        while (error === undefined) {
          error = await catalogue.add(REX).then(
            () => undefined,
            (reason: unknown) => reason,
          );
        }
        expect(error)
          .to.be.instanceOf((await importSqlite()).SqliteFileError)
          .with.property('message', message);
        expect(() => database.check()).to.throw(message);
      });
    }
  });

  it('is not ready after a failed write until a write succeeds, which the check itself tries once', async () => {
    const database = await openUntilEnd();
    await addOnFullDisk(database, await catalogueOn(database));
    database.prepare('PRAGMA query_only = ON').get();
    expect(() => database.check()).to.throw(' is read-only');
    database.prepare('PRAGMA query_only = OFF').get();
    database.check();
    database.prepare('PRAGMA query_only = ON').get();
    database.check();
  });

  it('names the file if a page is damaged', async () => {
    const file = newDatabaseFile();
    const sound = await openUntilEnd(file);
    const catalogue = await catalogueOn(sound);
    await Promise.all(Array.from({ length: 300 }, async () => catalogue.add(REX)));
    await sound.close();
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(statSync(file).size - 4096, 0xff), 0, null, 4096);
    closeSync(descriptor);
    const error = await rejectionOf((await catalogueOn(await openUntilEnd(file))).add(REX));
    expect(error).to.include({
      name: 'SqliteFileError',
      message: `the SQLite file ${file} is damaged: restore it from a back-up`,
    });
  });

  it('names the file, the message of SQLite and its code for any other error', async () => {
    const file = newDatabaseFile();
    const database = await openUntilEnd(file);
    expect(() => database.prepare('SELECT missing FROM pets')).to.throw(
      `the SQLite file ${file} caused an error: no such column: missing (result code 1 of SQLite)`,
    );
  });

  it('rejects with what an operation throws, which it runs once', async () => {
    const database = await openUntilEnd();
    for (const method of ['read', 'write'] as const) {
      let runs = 0;
      const broken = new Error('a fault');
      const operate = (): never => {
        runs++;
        throw broken;
      };
      expect(await rejectionOf(database[method](operate))).to.equal(broken);
      expect(runs).to.equal(1);
    }
  });

  it('writes pending changes when it is closed, and can be closed more than once', async () => {
    const file = newDatabaseFile();
    const database = await openUntilEnd(file);
    const added = (await catalogueOn(database)).add(REX);
    await Promise.all([database.close(), database.close()]);
    const { id } = await added;
    expect(await (await catalogueOn(await openUntilEnd(file))).find(id)).to.deep.equal({ id, ...REX });
  });

  it('says that it is closed to calls after that', async () => {
    const file = newDatabaseFile();
    const database = await openUntilEnd(file);
    const catalogue = await catalogueOn(database);
    await database.close();
    const message = `the SQLite file ${file} is closed`;
    for (const call of [catalogue.add(REX), catalogue.find(1n)]) {
      expect(await rejectionOf(call)).to.have.property('message', message);
    }
    expect(() => database.check()).to.throw(message);
  });

  for (const [name, installFakes] of Object.entries(FAKE_TIMERS)) {
    it(`settles writes under ${name}, and closes`, async () => {
      const database = await openUntilEnd();
      const catalogue = await catalogueOn(database);
      installFakes();
      const added = await Promise.all(
        [1n, 2n, 3n].map(async (categoryId) => catalogue.add({ name: 'Rex', categoryId })),
      );
      expect(added.map(({ id }) => id)).to.deep.equal([1n, 2n, 3n]);
      await database.close();
    });
  }
});
