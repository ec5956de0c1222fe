import { join } from 'node:path';
import { PATIENT } from '../support/patience.js';
import { describeWithSqlite, importSqlite, openUntilEnd } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { verifyKilledMoves } from './killed-moves.js';

describeWithSqlite('animal-store import and restore on SQLite, killed at any moment and run again', function () {
  this.timeout(300_000);

  it('stores each line once, assigns no id twice, and moves each key and creation of the old store', async () => {
    const folder = makeTemporaryFolder();
    const storeIn = (name: string): { STORE: string; SQLITE_FILE: string } => ({
      STORE: 'sqlite',
      SQLITE_FILE: join(folder, name),
    });
    await verifyKilledMoves({
      count: 10_000,
      stores: [storeIn('old.db'), storeIn('new.db')],
      async open({ SQLITE_FILE = '' }) {
        const { SqliteApiKeyRegistry, SqliteApiKeys, SqlitePetCatalogue } = await importSqlite();
        const database = await openUntilEnd(SQLITE_FILE, PATIENT);
        return {
          catalogue: new SqlitePetCatalogue(database),
          registry: new SqliteApiKeyRegistry(database),
          apiKeys: new SqliteApiKeys(database),
        };
      },
    });
  });
});
