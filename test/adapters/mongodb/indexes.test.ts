import { expect } from 'chai';
import {
  describeIndex,
  INDEXES,
  makeIndexes,
  missingIndexes,
  PETS_BY_STATUS,
} from '../../../src/adapters/mongodb/indexes.js';
import { plannedChanges } from '../../../src/adapters/mongodb/migration.js';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { ONCE_KEPT_MS } from '../../../src/domain/once.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';

describe('the indexes in MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  it('are all missing from an empty database', async () => {
    expect(await missingIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
  });

  it('are made once, however often they are asked for', async () => {
    expect(await makeIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
    const sent = await commandsOf(client(), async () => makeIndexes(db(), INDEXES));
    expect(sent.map(({ name }) => name)).not.to.include('createIndexes');
  });

  it('count as there under any name', async () => {
    await db().collection('pets').createIndex({ status: 1, _id: 1 }, { name: 'of_the_operator' }, {});
    expect(await missingIndexes(db(), [PETS_BY_STATUS])).to.deep.equal([]);
    const catalogue = new MongoPetCatalogue(db());
    await catalogue.init();
    const pet = await catalogue.add({ name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(await catalogue.list({ limit: 1, status: 'sold' })).to.deep.equal({ pets: [pet] });
  });

  it('do not count as there in another order', async () => {
    await db().collection('pets').createIndex({ _id: 1, status: 1 }, {}, {});
    expect(await missingIndexes(db(), [PETS_BY_STATUS])).to.deep.equal([PETS_BY_STATUS]);
  });

  it('expire a creation later than addOnce may forget it', async () => {
    const sent = await commandsOf(client(), async () => new MongoPetCatalogue(db()).init());
    const builds = sent.filter(({ name }) => name === 'createIndexes').map(({ command }) => command);
    const [index] = builds.find(({ createIndexes }) => createIndexes === 'creations')?.['indexes'] as [object];
    expect(index)
      .to.deep.include({ key: new Map([['at', 1]]) })
      .and.to.have.property('expireAfterSeconds');
    expect((index as { expireAfterSeconds: number }).expireAfterSeconds).to.be.greaterThan(ONCE_KEPT_MS / 1000);
  });

  it('are built without a limit of time, which would abort the build of a large one', async () => {
    const sent = await commandsOf(client(), async () => makeIndexes(db(), INDEXES));
    const builds = sent.filter(({ name }) => name === 'createIndexes');
    expect(builds).to.have.length(3);
    for (const { command } of builds) {
      expect(command).not.to.have.property('maxTimeMS');
      expect(command['writeConcern']).to.deep.equal({ w: 'majority' });
    }
  });

  it('are neither checked nor made by listing, rotating and revoking keys', async () => {
    const registry = new MongoApiKeyRegistry(db());
    const { id } = await registry.create({ name: 'anna' });
    const sent = await commandsOf(client(), async () => {
      await registry.list({ limit: 10 });
      await registry.rotate(id, { overlapMs: 0 });
      await registry.revoke(id);
    });
    expect(sent.map(({ name }) => name)).to.have.members(['find', 'find', 'update', 'insert', 'update']);
  });

  it('are the changes that a new database needs', async () => {
    const changes = await plannedChanges(db());
    expect(changes.map(({ description }) => description)).to.deep.equal([
      'create the index pets { status: 1, _id: 1 }',
      'create the index creations { at: 1 }, which expires documents after 90000 s',
      'create the index apiKeys { digest: 1 }, unique',
    ]);
    expect(await missingIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
    for (const { apply } of changes) await apply();
    expect(await plannedChanges(db())).to.deep.equal([]);
  });

  it('are followed by the validators, if these are asked for', async () => {
    await makeIndexes(db(), INDEXES);
    const changes = await plannedChanges(db(), { validate: true });
    expect(changes.map(({ description }) => description)).to.deep.equal([
      'set the validator of pets',
      'set the validator of creations',
      'set the validator of counters',
      'set the validator of apiKeys',
    ]);
  });

  it('are described as a person would write them', () => {
    expect(describeIndex(PETS_BY_STATUS)).to.equal('pets { status: 1, _id: 1 }');
  });
});
