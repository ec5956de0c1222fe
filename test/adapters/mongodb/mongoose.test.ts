import { expect } from 'chai';
import type { Db } from 'mongodb';
import { createConnection } from 'mongoose';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { PATIENT } from '../../support/patience.js';
import { patientApiKeys } from '../../support/patient-api-keys.js';
import { useMongodb } from '../../support/use-mongodb.js';

const REX = { name: 'Rex', categoryId: 2n ** 62n, status: 'sold' } as const;

/** Mongoose 8 has a driver of its own, with another version of BSON, whose classes the driver beside it refuses. */
describe('the MongoDB adapters on the database of Mongoose 8', () => {
  const mongodb = useMongodb();
  let db: Db;

  beforeEach(async () => {
    const connection = createConnection(mongodb.createDatabaseUrl());
    endWithTest(async () => connection.close());
    db = (await connection.asPromise()).db as unknown as Db;
    await prepareDatabase(db);
  });

  it('create, find, list, move and restore animals, with idempotency keys', async () => {
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    const pet = await catalogue.add(REX);
    const once = await catalogue.addOnce(REX, 'key');
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ ...once, replayed: true });
    expect(await catalogue.find(pet.id)).to.deep.equal(pet);
    expect(await catalogue.list({ limit: 5, status: 'sold' })).to.deep.equal({ pets: [pet, once.pet] });
    const records = [];
    for await (const record of catalogue.records()) records.push(record);
    expect(
      await catalogue.restore([...records, { pet: { id: 50n, ...REX }, idempotencyDigest: 'ab'.repeat(32) }]),
    ).to.deep.equal({
      restored: 1,
      unchanged: 2,
      conflicts: [],
    });
  });

  it('issue, verify, rotate and revoke API keys', async () => {
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db, PATIENT));
    const { id, key } = await manager.issue({ name: 'anna' });
    expect(await patientApiKeys(new MongoApiKeys(db, PATIENT)).verify(key)).to.deep.equal({ name: 'anna' });
    await manager.rotate(id, { overlapMs: 0 });
    await manager.revoke(id);
    for await (const record of manager.list()) expect(record).to.include({ name: 'anna' });
  });
});
