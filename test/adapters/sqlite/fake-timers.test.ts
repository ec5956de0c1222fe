import { expect } from 'chai';
import { catalogueOn, describeWithSqlite, openUntilEnd } from '../../support/sqlite.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';

describeWithSqlite('a write to SQLite', () => {
  for (const [name, installFakes] of Object.entries(FAKE_TIMERS)) {
    it(`settles under ${name}, and the database closes`, async () => {
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
