import { catalogueOn, describeWithSqlite } from '../../support/sqlite.js';
import { remoteOf, verifyAtALook } from './serve-catalogue.js';

describeWithSqlite('RemotePetCatalogue on the SQLite store', function () {
  this.timeout(180_000);

  verifyAtALook(async () => remoteOf(await catalogueOn()));
});
