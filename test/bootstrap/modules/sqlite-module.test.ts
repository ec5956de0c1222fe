import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { createContainer, sqliteModule, TOKENS } from '../../../src/bootstrap/index.js';
import { endWithTest } from '../../support/cleanup.js';
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
    const container = await createContainer(sqliteModule({ file: newDatabaseFile() }));
    endWithTest(async () => container.unbindAllAsync());
    expect(await (await container.getAsync(TOKENS.isReady))()).to.equal(true);
  });

  it('is not ready, and says why in the log, once its file is gone', async () => {
    const logged: { readonly err: Error }[] = [];
    const error = (fields: object): void => void logged.push(fields as { readonly err: Error });
    const file = newDatabaseFile();
    const log = { warn: () => undefined, error };
    const container = await createContainer(sqliteModule({ file, log }));
    endWithTest(async () => container.unbindAllAsync());
    const isReady = await container.getAsync(TOKENS.isReady);
    rmSync(file);
    expect(await isReady()).to.equal(false);
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]?.err.message).to.include(file);
  });
});
