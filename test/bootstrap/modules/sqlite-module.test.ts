import { expect } from 'chai';
import { createContainer, sqliteModule, TOKENS } from '../../../src/bootstrap/index.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { describeWithSqlite, newDatabaseFile } from '../../support/sqlite.js';

describeWithSqlite('sqliteModule', () => {
  it('closes its file with the container', async () => {
    const container = await createContainer(sqliteModule({ file: newDatabaseFile() }));
    const catalogue = await container.getAsync(TOKENS.petCatalogue);
    expect(await catalogue.find(1n)).to.equal(undefined);
    await container.unbindAllAsync();
    expect(await rejectionOf(catalogue.find(1n))).to.be.instanceOf(Error);
  });
});
