import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { createContainer, sqliteModule, TOKENS } from '../../../src/bootstrap/index.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { connectTo, describeWithSqlite, newDatabaseFile } from '../../support/sqlite.js';
import { readinessOn } from './readiness.js';

describeWithSqlite('sqliteModule', () => {
  it('closes its file with the container', async () => {
    const container = await createContainer(sqliteModule({ file: newDatabaseFile() }));
    const catalogue = await container.getAsync(TOKENS.petCatalogue);
    expect(await catalogue.find(1n)).to.equal(undefined);
    await container.unbindAllAsync();
    expect(await rejectionOf(catalogue.find(1n))).to.be.instanceOf(Error);
  });

  it('passes its deadline on', async () => {
    const container = await createContainer(sqliteModule({ file: newDatabaseFile(), deadlineMs: 0 }));
    expect(await rejectionOf(container.getAsync(TOKENS.petCatalogue))).to.include({
      message: 'deadlineMs must be a positive integer',
    });
  });

  it('passes its access on', async () => {
    const container = await createContainer(sqliteModule({ file: newDatabaseFile(), access: 'read-only' }));
    expect(await rejectionOf(container.getAsync(TOKENS.petCatalogue)))
      .to.have.property('message')
      .that.includes('does not exist');
  });

  it('is ready while its file is there', async () => {
    const { isReady } = await readinessOn(sqliteModule({ file: newDatabaseFile() }));
    expect(await isReady()).to.equal(true);
  });

  for (const [what, harm, reason] of [
    ['its file is gone', rmSync, 'was moved, removed or replaced'],
    ['a table is gone', async (file: string) => (await connectTo(file)).exec('DROP TABLE pets'), 'no such table: pets'],
  ] as const) {
    it(`is not ready, and says why in the log, once ${what}`, async () => {
      const file = newDatabaseFile();
      const { isReady, reasons } = await readinessOn(sqliteModule({ file }));
      await harm(file);
      expect(await isReady()).to.equal(false);
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0]).to.include(file).and.to.include(reason);
    });
  }
});
