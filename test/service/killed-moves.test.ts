import { join } from 'node:path';
import { describeWithSqlite, importSqlite, openUntilEnd } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { verifyKilledMoves } from './killed-moves.js';

describeWithSqlite('animal-store import and restore on SQLite, killed at any moment and run again', function () {
  this.timeout(300_000);

  it('stores each line once, assigns no id twice, and replays each creation of the old store', async () => {
    const folder = makeTemporaryFolder();
    const storeIn = (name: string): { STORE: string; SQLITE_FILE: string } => ({
      STORE: 'sqlite',
      SQLITE_FILE: join(folder, name),
    });
    await verifyKilledMoves({
      stores: [storeIn('old.db'), storeIn('new.db')],
      async open({ SQLITE_FILE = '' }) {
        const { SqlitePetCatalogue } = await importSqlite();
        return new SqlitePetCatalogue(await openUntilEnd(SQLITE_FILE));
      },
    });
  });
});
