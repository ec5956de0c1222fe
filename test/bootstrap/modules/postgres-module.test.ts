import { expect } from 'chai';
import { createContainer, postgresModule, TOKENS } from '../../../src/bootstrap/index.js';
import type { ConnectionAttempt } from '../../../src/adapters/postgres/index.js';
import { POSTGRES_METER } from '../../../src/bootstrap/modules/postgres-module.js';
import { endWithTest } from '../../support/cleanup.js';
import { query } from '../../support/postgres-query.js';
import { usePostgres } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { readinessOn } from './readiness.js';

describe('postgresModule', () => {
  const postgres = usePostgres();

  it('closes its connections with the container', async () => {
    const container = await createContainer(postgresModule({ url: await postgres.createUrl() }));
    const catalogue = await container.getAsync(TOKENS.petCatalogue);
    expect(await catalogue.find(1n)).to.equal(undefined);
    await container.unbindAllAsync();
    expect(await rejectionOf(catalogue.find(1n))).to.be.instanceOf(Error);
  });

  it('passes its deadline and its access on', async () => {
    const url = await postgres.createUrl();
    for (const [options, reason] of [
      [{ deadlineMs: 0 }, 'deadlineMs'],
      [{ access: 'read-only' }, 'has no tables'],
    ] as const) {
      const container = await createContainer(postgresModule({ url, ...options }));
      expect(await rejectionOf(container.getAsync(TOKENS.petCatalogue)))
        .to.have.property('message')
        .that.includes(reason);
    }
  });

  it('tells the meter and its own listener of each connection', async () => {
    const metered: ConnectionAttempt[] = [];
    const heard: ConnectionAttempt[] = [];
    const onConnection = (attempt: ConnectionAttempt): void => void heard.push(attempt);
    const container = await createContainer(postgresModule({ url: await postgres.createUrl(), onConnection }));
    endWithTest(async () => container.unbindAllAsync());
    container.bind(POSTGRES_METER).toConstantValue({ onConnection: (attempt) => void metered.push(attempt) });
    await (await container.getAsync(TOKENS.petCatalogue)).find(1n);
    expect(heard).to.have.lengthOf(1);
    expect(metered).to.deep.equal(heard);
  });

  it('is ready on a primary that takes writes', async () => {
    const { isReady, reasons } = await readinessOn(postgresModule({ url: await postgres.createUrl() }));
    expect(await isReady()).to.equal(true);
    expect(reasons).to.deep.equal([]);
  });

  it('is not ready, and says why in the log, on a primary that was made read-only', async () => {
    const url = await postgres.createUrl();
    const readOnly = new URL(url);
    const options = readOnly.searchParams.get('options') ?? '';
    const prepared = await createContainer(postgresModule({ url }));
    await prepared.getAsync(TOKENS.petCatalogue);
    await prepared.unbindAllAsync();
    readOnly.searchParams.set('options', `${options} -c default_transaction_read_only=on`);
    const { isReady, reasons } = await readinessOn(postgresModule({ url: readOnly.href }));
    expect(await isReady()).to.equal(false);
    expect(reasons).to.deep.equal(['the PostgreSQL primary is read-only']);
  });

  it('is not ready, and says why in the log, once a table is gone', async () => {
    const url = await postgres.createUrl();
    const { isReady, reasons } = await readinessOn(postgresModule({ url }));
    await query(url, 'DROP TABLE pets');
    expect(await isReady()).to.equal(false);
    expect(reasons).to.deep.equal(['relation "pets" does not exist']);
  });
});
