import type { Suite } from 'mocha';
import { join } from 'node:path';
import type { DatabaseSync } from '../../src/adapters/sqlite/node-sqlite.js';
import type { SqliteDatabaseOptions } from '../../src/adapters/sqlite/open-sqlite-database.js';
import type { SqliteDatabase } from '../../src/adapters/sqlite/sqlite-database.js';
import type { SqlitePetCatalogue } from '../../src/adapters/sqlite/sqlite-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';
import { endWithTest } from './cleanup.js';
import { skip } from './skip.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** Whether this Node has the module that the SQLite adapter uses. */
export const HAS_SQLITE = process.getBuiltinModule('node:sqlite') !== undefined;

/** Declares a suite that needs the SQLite adapter; on a Node that cannot load it, one test that is skipped and says so. */
export function describeWithSqlite(title: string, declare: (this: Suite) => void): void {
  if (HAS_SQLITE) describe(title, declare);
  else {
    describe(title, () => {
      it('is tested on Node.js 22.13 or newer', function () {
        skip(this, `node:sqlite needs Node.js 22.13 or newer; this is ${process.version}`);
      });
    });
  }
}

/** The adapter. It is imported only when it is needed, as the import throws without `node:sqlite`. */
export async function importSqlite(): Promise<typeof import('../../src/adapters/sqlite/index.js')> {
  return import('../../src/adapters/sqlite/index.js');
}

/** The path of a database file that does not exist yet, in a folder that is removed when the test ends. */
export function newDatabaseFile(endWith = endWithTest): string {
  return join(makeTemporaryFolder(endWith), 'animals.db');
}

/** Opens a database file until the test ends. */
export async function openUntilEnd(file = newDatabaseFile(), options?: SqliteDatabaseOptions): Promise<SqliteDatabase> {
  const { openSqliteDatabase } = await importSqlite();
  const database = await openSqliteDatabase(file, options);
  endWithTest(async () => database.close());
  return database;
}

/** A catalogue on a database, by default on a new file that is open until the test ends. */
export async function catalogueOn(database?: SqliteDatabase): Promise<SqlitePetCatalogue> {
  const { SqlitePetCatalogue } = await importSqlite();
  return new SqlitePetCatalogue(database ?? (await openUntilEnd()));
}

/** A connection to a file as another program has one, which ends with the test. */
export async function connectTo(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('../../src/adapters/sqlite/node-sqlite.js');
  const connection = new DatabaseSync(file);
  endWithTest(async () => connection.close());
  return connection;
}

/** Adds animals of which some find no room, because the file may not grow any more. How each ended. */
export async function addOnFullDisk(
  database: SqliteDatabase,
  catalogue: PetCatalogue,
): Promise<PromiseSettledResult<Pet>[]> {
  const [pages] = Object.values(database.prepare('PRAGMA page_count').get() ?? {});
  database.prepare(`PRAGMA max_page_count = ${String(pages)}`).get();
  const long = { name: 'x'.repeat(1024), categoryId: 7n };
  return Promise.allSettled(Array.from({ length: 50 }, async () => catalogue.add(long)));
}

/** Takes from the statements of a suite what Node 22.13 to 22.15 do not have. */
export function withRowsAsObjects(): void {
  const { StatementSync } = process.getBuiltinModule('node:sqlite') as unknown as {
    readonly StatementSync: { readonly prototype: { setReturnArrays?: unknown } };
  };
  const { prototype } = StatementSync;
  const { setReturnArrays } = prototype;

  before(() => delete prototype.setReturnArrays);
  after(() => {
    if (setReturnArrays !== undefined) prototype.setReturnArrays = setReturnArrays;
  });
}
