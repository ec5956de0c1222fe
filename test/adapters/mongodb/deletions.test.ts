import { expect } from 'chai';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { plannedChanges } from '../../../src/adapters/mongodb/schema/migration.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';
import { PATIENT, PATIENT_MS } from '../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

/** The commands that the role of docs/operating.md allows. */
const ALLOWED = ['createIndexes', 'find', 'findAndModify', 'insert', 'listIndexes', 'update'];

describe('MongoDB', () => {
  const { client, db } = useWatchedDatabase(useMongodb());

  it('is asked to read, insert, update and make indexes, and never to delete', async () => {
    const sent = await commandsOf(client(), async () => {
      for (const { apply } of await plannedChanges(db())) await apply();
      const catalogue = new MongoPetCatalogue(db(), PATIENT);
      await catalogue.init();
      const { id } = await catalogue.add(REX);
      await catalogue.addOnce(REX, 'once');
      await catalogue.addOnce(REX, 'once');
      await rejectionOf(catalogue.addOnce({ ...REX, name: 'Tom' }, 'once'));
      await catalogue.find(id);
      await catalogue.list({ limit: 1, status: 'sold' });
      // As after a back-up was restored: the counter has to be repaired.
      await db()
        .collection<{ _id: string }>('counters')
        .updateOne({ _id: 'pets' }, { $set: { last: 'seven' } });
      await new MongoPetCatalogue(db(), PATIENT).add(REX);
      const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT));
      const issued = await manager.issue({ name: 'anna' });
      await new MongoApiKeys(db(), { verifyDeadlineMs: PATIENT_MS }).verify(issued.key);
      await manager.rotate(issued.id, { overlapMs: 0 });
      await manager.revoke(issued.id);
      await manager.list().next();
    });
    // The driver greets the server on each new connection, for which no right is needed.
    const names = new Set(sent.map(({ name }) => name).filter((name) => name !== 'hello'));
    expect([...names].sort()).to.deep.equal(ALLOWED);
    for (const { command } of sent) expect(command['remove'] ?? false).to.equal(false);
  });
});
