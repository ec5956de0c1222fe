import { expect } from 'chai';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import type { Pet } from '../../../../src/domain/pet.js';
import { endWithTest } from '../../../support/cleanup.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const TOM = { name: 'Tom', categoryId: 7n, status: 'sold' } as const;
const CREATIONS = 1500;
const CLIENTS = 64;
/** Of the creations, the answers of one in 200 are lost. */
const LOST_EACH = 200;

/** A catalogue behind a proxy, with a new database for each test of a `describe`. */
function useProxiedCatalogue(options: { readonly needsMongod: boolean }): {
  proxy(): TcpProxy;
  catalogue(): MongoPetCatalogue;
} {
  const mongodb = useMongodb(options);
  let proxy: TcpProxy;
  let catalogue: MongoPetCatalogue;
  beforeEach(async function connect() {
    proxy = await startTcpProxy(mongodb.localPort(this));
    const url = throughProxy(mongodb.server().url, proxy, mongodb.createDatabase().databaseName);
    const client = createMongoClient(url, PATIENT);
    endWithTest(async () => client.close());
    await client.connect();
    catalogue = new MongoPetCatalogue(client.db(), PATIENT);
    await catalogue.add(REX);
  });
  return { proxy: () => proxy, catalogue: () => catalogue };
}

/** The driver repeats a write whose answer was lost once, but on a replica set or a sharded cluster only. */
describe('MongoPetCatalogue on a replica set, over connections that are lost with an answer', function () {
  this.timeout(180_000);
  const { proxy, catalogue } = useProxiedCatalogue({ needsMongod: true });

  it(`fails at most those of ${CREATIONS} creations whose answers were lost`, async () => {
    let sent = 0;
    let lost = 0;
    proxy().judge((chunk) => {
      if (!chunk.includes('insert') || ++sent % LOST_EACH !== 0) return 'pass';
      lost++;
      return 'lose answer';
    });
    const stored: Pet[] = [];
    let failed = 0;
    let left = CREATIONS;
    const create = async (): Promise<void> => {
      while (left-- > 0) {
        try {
          stored.push(await catalogue().add(REX));
        } catch (error) {
          expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
          failed++;
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, create));
    proxy().pass();
    console.log(`      ${lost} answers were lost, and ${failed} of ${CREATIONS} creations failed`);
    expect(failed).to.be.at.most(lost);
    expect(lost).to.be.at.least(Math.floor(CREATIONS / LOST_EACH));
    expect(stored.length + failed).to.equal(CREATIONS);
    expect(new Set(stored.map(({ id }) => id)).size).to.equal(stored.length);
  });
});

describe('MongoPetCatalogue over connections that are lost with an answer', function () {
  this.timeout(180_000);
  const { proxy, catalogue } = useProxiedCatalogue({ needsMongod: false });

  /** Loses the answer of the first insert into a collection. Returns whether that has happened. */
  function loseAnswerOf(collection: string): () => boolean {
    let isLost = false;
    // The name of the collection, as a text of BSON.
    const insert = `insert\0${String.fromCharCode(collection.length + 1)}\0\0\0${collection}`;
    proxy().judge((chunk) => {
      if (isLost || !chunk.includes(insert)) return 'pass';
      isLost = true;
      return 'lose answer';
    });
    return () => isLost;
  }

  for (const collection of ['creations', 'pets']) {
    it(`stores an animal with a key once, if the answer of ${collection} is lost`, async () => {
      const isLost = loseAnswerOf(collection);
      const { pet } = await catalogue().addOnce(REX, collection);
      expect(isLost()).to.equal(true);
      expect(await catalogue().find(pet.id)).to.deep.equal(pet);
      expect(await catalogue().addOnce(REX, collection)).to.deep.equal({ pet, replayed: true });
    });
  }

  for (const collection of ['creations', 'pets']) {
    it(`stores many animals with keys once, as the first, if the answer of ${collection} is lost`, async () => {
      const creations = [REX, TOM].map((newPet, i) => ({ newPet, idempotencyKey: `${collection} ${i}` }));
      const isLost = loseAnswerOf(collection);
      const stored = await catalogue().addManyOnce(creations);
      expect(isLost()).to.equal(true);
      expect(stored.map(({ replayed }) => replayed)).to.deep.equal([false, false]);
      const replays = await catalogue().addManyOnce(creations);
      expect(replays).to.deep.equal(stored.map(({ pet }) => ({ pet, replayed: true })));
    });
  }

  it('restores animals once if the answer is lost', async () => {
    const pets = [1000n, 1001n].map((id) => ({ id, ...TOM }));
    const isLost = loseAnswerOf('pets');
    expect(await catalogue().restore(pets)).to.deep.equal({ restored: 0, present: 2, refused: [] });
    expect(isLost()).to.equal(true);
    expect(await Promise.all(pets.map(async ({ id }) => catalogue().find(id)))).to.deep.equal(pets);
  });

  it('does not repeat an insert whose answer is lost, because that might store the animal twice', async () => {
    let sent = 0;
    proxy().judge((chunk) => {
      if (!chunk.includes('insert')) return 'pass';
      sent++;
      return 'lose answer';
    });
    const error = await rejectionOf(catalogue().add(TOM));
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect(sent).to.equal(1);
    proxy().pass();
    expect((await catalogue().list({ limit: 100, status: TOM.status })).pets).to.have.length(1);
  });
});
