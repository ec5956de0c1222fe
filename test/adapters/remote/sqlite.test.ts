import { describeWithSqlite, importSqlite, openUntilEnd } from '../../support/sqlite.js';
import { remoteOf, verifyAtALook } from './serve-catalogue.js';

describeWithSqlite('RemotePetCatalogue on the SQLite store', function () {
  this.timeout(180_000);

  verifyAtALook(async () => {
    const { SqlitePetCatalogue } = await importSqlite();
    return remoteOf(new SqlitePetCatalogue(await openUntilEnd()));
  });
});
