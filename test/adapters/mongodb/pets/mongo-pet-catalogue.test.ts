import { expect } from 'chai';
import type { Context } from 'mocha';
import type { Db } from 'mongodb';
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import type { CreationRecord } from '../../../../src/domain/idempotency-key.js';
import { verifyPetCatalogueContract } from '../../../contracts/pet-catalogue-contract.js';
import { endWithTest } from '../../../support/cleanup.js';
import { itHeedsSignals } from '../../../support/it-heeds-signals.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy } from '../../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('MongoPetCatalogue', () => {
  const mongodb = useMongodb();
  let db: Db;

  async function openCatalogue(): Promise<MongoPetCatalogue> {
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    await catalogue.init();
    return catalogue;
  }

  async function createCatalogue(): Promise<MongoPetCatalogue> {
    db = mongodb.createDatabase();
    return openCatalogue();
  }

  verifyPetCatalogueContract({
    addOnce: true,
    restore: true,
    createCatalogue,
    reopen: openCatalogue,
    openAnother: openCatalogue,
  });

  itHeedsSignals(createCatalogue);
});

describe('an animal whose id is taken', () => {
  const { client, db } = useWatchedDatabase(useMongodb());

  it('is tried under at most five ids', async () => {
    const catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.add(REX);
    // So every further insert fails as with an id that is taken.
    await db().collection('pets').createIndex({ name: 1 }, { unique: true }, {});
    let error: unknown;
    const sent = await commandsOf(client(), async () => (error = await rejectionOf(catalogue.add(REX))));
    expect(error).to.have.property('code', 11000);
    expect(sent.filter(({ name }) => name === 'insert')).to.have.length(5);
  });
});

describe('animals of a batch in MongoDB that an earlier call has only reserved', () => {
  const mongodb = useMongodb();
  const STRANGER = { name: 'Tom', categoryId: 8n } as const;

  for (const [what, left] of [
    ['nothing', []],
    ['a stranger', [STRANGER]],
  ] as const) {
    it(`are stored if there is ${what} at their ids`, async () => {
      const db = mongodb.createDatabase();
      const catalogue = new MongoPetCatalogue(db, PATIENT);
      const creations = ['a', 'b'].map((idempotencyKey) => ({ newPet: REX, idempotencyKey }));
      const reserved = await catalogue.addManyOnce(creations);
      await db.collection('pets').deleteMany({});
      const strangers = reserved.flatMap(({ pet }) => left.map((stranger) => ({ ...stranger, _id: pet.id })));
      if (strangers.length > 0) await db.collection<{ _id: bigint }>('pets').insertMany(strangers);
      const pets = (await catalogue.addManyOnce(creations)).map(({ pet }) => pet);
      expect(await Promise.all(pets.map(async ({ id }) => catalogue.find(id)))).to.deep.equal(pets);
      expect(await db.collection('pets').countDocuments(STRANGER)).to.equal(strangers.length);
    });
  }
});

describe('animals restored into MongoDB', () => {
  const mongodb = useMongodb();

  it('are followed by greater ids in the process that restored them while it reserved others', async () => {
    const catalogue = new MongoPetCatalogue(mongodb.createDatabase(), PATIENT);
    const [, restored] = await Promise.all([catalogue.add(REX), catalogue.restore([{ id: 5000n, ...REX }])]);
    expect(restored).to.deep.equal({ restored: 1, present: 0, refused: [] });
    for (let i = 0; i < 3; i++) expect(Number((await catalogue.add(REX)).id)).to.be.greaterThan(5000);
  });
});

describe('creations restored into MongoDB', () => {
  const mongodb = useMongodb();
  const creationOf = (key: string, petId: bigint): CreationRecord => ({
    sha256: hash('sha256', key),
    petId,
    at: new Date(),
  });

  it('are remembered if an earlier call has only marked their animals', async () => {
    const db = mongodb.createDatabase();
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    await catalogue.restore([{ id: 12n, ...REX }]);
    await catalogue.restoreCreations([creationOf('key', 12n)]);
    await db.collection('creations').deleteMany({});
    const restored = await catalogue.restoreCreations([creationOf('key', 12n)]);
    expect(restored).to.deep.equal({ restored: 1, present: 0, refused: [] });
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ pet: { id: 12n, ...REX }, replayed: true });
  });

  /** A catalogue whose marks of animals reach the database only when something else is done. */
  async function markingAfter(act: () => Promise<unknown>, db: Db, test: Context): Promise<MongoPetCatalogue> {
    const proxy = await startTcpProxy(mongodb.localPort(test));
    const client = createMongoClient(throughProxy(mongodb.server().url, proxy, db.databaseName), PATIENT);
    endWithTest(async () => client.close());
    let acting: Promise<unknown> | undefined;
    proxy.judge((request) => (request.includes('$set') ? { until: (acting ??= act()) } : 'pass'));
    return new MongoPetCatalogue(client.db(), PATIENT);
  }

  it('are remembered only once their animals are marked', async function () {
    const db = mongodb.createDatabase();
    await new MongoPetCatalogue(db, PATIENT).restore([{ id: 12n, ...REX }]);
    let remembered: number | undefined;
    const countAfterAWhile = async (): Promise<void> => {
      await delay(200);
      remembered = await db.collection('creations').countDocuments();
    };
    const catalogue = await markingAfter(countAfterAWhile, db, this);
    await catalogue.restoreCreations([creationOf('key', 12n)]);
    expect(remembered).to.equal(0);
  });

  it('are refused in their order, also those whose keys another process gives away in the meantime', async function () {
    const db = mongodb.createDatabase();
    const other = new MongoPetCatalogue(db, PATIENT);
    await other.restore([12n, 13n].map((id) => ({ id, ...REX })));
    const catalogue = await markingAfter(async () => other.restoreCreations([creationOf('key', 13n)]), db, this);
    const restored = await catalogue.restoreCreations([creationOf('key', 12n), creationOf('lost', 99n)]);
    expect(restored).to.deep.equal({ restored: 0, present: 0, refused: [0, 1] });
  });

  it('are refused if their animal belongs to another key', async () => {
    const catalogue = new MongoPetCatalogue(mongodb.createDatabase(), PATIENT);
    const { pet } = await catalogue.addOnce(REX, 'once');
    const restored = await catalogue.restoreCreations([creationOf('another key', pet.id)]);
    expect(restored).to.deep.equal({ restored: 0, present: 0, refused: [0] });
    expect(await catalogue.addOnce(REX, 'once')).to.deep.equal({ pet, replayed: true });
  });
});
