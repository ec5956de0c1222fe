import { expect } from 'chai';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { Pet } from '../../../src/domain/pet.js';
import { endWithTest } from '../../support/cleanup.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { PATIENT } from '../../support/patience.js';

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
    await prepareDatabase(client.db());
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

  /** Loses the answer of the next insert. */
  function loseNextAnswer(): void {
    let isLost = false;
    proxy().judge((chunk) => {
      if (isLost || !chunk.includes('insert')) return 'pass';
      isLost = true;
      return 'lose answer';
    });
  }

  /** Repeats a call while it has no answer, as callers do. */
  async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
      }
    }
  }

  it('stores an animal with a key once', async () => {
    loseNextAnswer();
    const { pet } = await untilAnswered(async () => catalogue().addOnce(TOM, 'key'));
    expect(await catalogue().addOnce(TOM, 'key')).to.deep.equal({ pet, replayed: true });
    expect((await catalogue().list({ limit: 100, status: TOM.status })).pets).to.deep.equal([pet]);
  });

  it('restores animals once', async () => {
    const records = [1000n, 1001n].map((id) => ({ pet: { id, ...TOM }, once: String(id).padStart(64, 'a') }));
    loseNextAnswer();
    await untilAnswered(async () => catalogue().restore(records));
    expect(await catalogue().restore(records)).to.deep.equal({ restored: 0, unchanged: 2, conflicts: [] });
  });

  it('stores an animal without a key at most once for each call', async () => {
    loseNextAnswer();
    await Promise.allSettled([catalogue().add(TOM)]);
    expect((await catalogue().list({ limit: 100, status: TOM.status })).pets).to.have.length(1);
  });

  it('fails the creations whose batch is lost, and no others', async () => {
    let sent = 0;
    let isFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (isFirst = resolve));
    let hang: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (hang = resolve));
    proxy().judge((chunk) => {
      if (!chunk.includes('insert') || ++sent > 1) return 'pass';
      isFirst();
      return { until: hanging };
    });
    const lost = Promise.allSettled([catalogue().add(TOM)]);
    await first;
    const others = await Promise.all(Array.from({ length: 5 }, async () => catalogue().add(REX)));
    expect(new Set(others.map(({ id }) => id)).size).to.equal(5);
    hang();
    await lost;
  });
});
