import { expect } from 'chai';
import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import type { SqliteDatabase } from '../../../src/adapters/sqlite/sqlite-database.js';
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

const REX = { name: 'Rex', categoryId: 7n } as const;

describeWithSqlite('a database file of SQLite that is open', () => {
  let file: string;
  let database: SqliteDatabase;

  beforeEach(async () => {
    file = newDatabaseFile();
    database = await openUntilEnd(file);
    // Then the file itself has pages, and the log starts again.
    await Promise.all(Array.from({ length: 300 }, add));
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    await add();
  });

  async function add(): Promise<bigint> {
    return (await (await catalogueOn(database)).add(REX)).id;
  }

  const FAULTS: readonly (readonly [string, () => void, RegExp])[] = [
    ['is removed', () => rmSync(file), /db was moved, removed or replaced/],
    ['is moved', () => renameSync(file, `${file}.old`), /db was moved, removed or replaced/],
    ['is replaced by a copy', () => replaceBy(`${file}-copy`), /db was moved, removed or replaced/],
    ['is emptied', () => truncateSync(file, 0), /db was truncated/],
    ['is cut short', () => truncateSync(file, 4096), /db was truncated/],
    ['loses its log', () => rmSync(`${file}-wal`), /-wal was moved, removed or replaced/],
    ['has its log emptied', () => truncateSync(`${file}-wal`), /its write-ahead log was overwritten/],
    ['loses its shared memory', () => rmSync(`${file}-shm`), /-shm was moved, removed or replaced/],
  ];

  function replaceBy(copy: string): void {
    copyFileSync(file, copy);
    renameSync(copy, file);
  }

  for (const [what, spoil, message] of FAULTS) {
    it(`acknowledges no write after it ${what}, and is not ready`, async () => {
      spoil();
      const error = await rejectionOf(add());
      expect(error).to.be.instanceOf((await importSqlite()).SqliteFileError);
      expect(error).to.have.property('message').that.matches(message).and.includes(file);
      expect(() => database.check()).to.throw(message);
    });
  }

  it('is ready after a VACUUM has made it smaller', async () => {
    const catalogue = await catalogueOn(database);
    const long = { ...REX, name: 'x'.repeat(1000) };
    await Promise.all(Array.from({ length: 50 }, async () => catalogue.add(long)));
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    database.check();
    const before = statSync(file).size;
    database.prepare('DELETE FROM pets').run();
    database.prepare('VACUUM').run();
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    expect(statSync(file).size).to.be.lessThan(before);
    expect(() => database.check()).not.to.throw();
  });

  it('has no descriptor more after it was looked at', () => {
    const before = nextDescriptor();
    for (let i = 0; i < 10; i++) database.check();
    expect(nextDescriptor()).to.equal(before);
  });

  it('refuses reads, too, once it has noticed that it was removed', async () => {
    rmSync(file);
    expect(() => database.check()).to.throw('removed');
    // The result of the last check counts for a second.
    const catalogue = await catalogueOn(database);
    let error: unknown;
    while (error === undefined) {
      error = await catalogue.find(1n).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      await new Promise(setImmediate);
    }
    expect(error).to.be.instanceOf((await importSqlite()).SqliteFileError);
  });

  it('can be used again after it has been put back', async () => {
    renameSync(file, `${file}.old`);
    await rejectionOf(add());
    renameSync(`${file}.old`, file);
    database.check();
    expect(await add()).to.be.a('bigint');
  });

  it('may be vacuumed and have its log emptied by another program', async () => {
    const other = await connectTo(file);
    other.exec('DELETE FROM pets WHERE id > 1; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    database.check();
    expect(await add()).to.be.a('bigint');
  });

  it('is not ready after a failed write until a write succeeds, which the check itself tries once', async () => {
    const results = await addOnFullDisk(database, await catalogueOn(database));
    expect(results.some(({ status }) => status === 'rejected')).to.equal(true);
    database.prepare('PRAGMA query_only = ON').get();
    expect(() => database.check()).to.throw(' is read-only');
    database.prepare('PRAGMA query_only = OFF').get();
    database.check();
    database.prepare('PRAGMA query_only = ON').get();
    database.check();
  });

  it('is ready after a failed write once another one succeeds, so that the check writes nothing', async () => {
    await addOnFullDisk(database, await catalogueOn(database));
    database.prepare('PRAGMA max_page_count = 1000000').get();
    await add();
    database.prepare('PRAGMA query_only = ON').get();
    database.check();
  });

  it('is still ready after a creation is refused', async () => {
    const catalogue = await catalogueOn(database);
    await catalogue.addOnce(REX, 'order 1');
    await rejectionOf(catalogue.addOnce({ ...REX, name: 'Tom' }, 'order 1'));
    database.prepare('PRAGMA query_only = ON').get();
    database.check();
  });

  it('is named in the error if a page is damaged', async () => {
    await database.close();
    writeAt(4096, Buffer.alloc(statSync(file).size - 4096, 0xff));
    database = await openUntilEnd(file);
    expect(await rejectionOf(add()))
      .to.be.instanceOf((await importSqlite()).SqliteFileError)
      .with.property('message', `the SQLite file ${file} is damaged: restore it from a back-up`);
  });

  function writeAt(position: number, bytes: Buffer): void {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, bytes, 0, bytes.length, position);
    closeSync(descriptor);
  }
});
