import { expect } from 'chai';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { PATIENT } from '../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const TOM = { name: 'Tom', categoryId: 7n, status: 'sold' } as const;

for (const needsMongod of [false, true]) {
  const what = needsMongod ? ' on a replica set, whose writes the driver repeats once' : '';
  describe(`MongoPetCatalogue over connections that are lost with an answer${what}`, () => {
    const mongodb = useMongodb({ needsMongod });
    let proxy: TcpProxy;
    let catalogue: MongoPetCatalogue;
    let inserts: number;

    beforeEach(async function connect() {
      proxy = await startTcpProxy(mongodb.localPort(this));
      const url = throughProxy(mongodb.server().url, proxy, mongodb.createDatabase().databaseName);
      const client = createMongoClient(url, PATIENT);
      endWithTest(async () => client.close());
      await prepareDatabase(client.db());
      catalogue = new MongoPetCatalogue(client.db(), PATIENT);
      await catalogue.add({ ...REX, name: 'Fido' });
      inserts = 0;
    });

    /** Loses the answer of the first insert. */
    function loseFirstAnswer(): void {
      proxy.judge((chunk) => (chunk.includes('insert') && ++inserts === 1 ? 'lose answer' : 'pass'));
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
      loseFirstAnswer();
      const { pet } = await untilAnswered(async () => catalogue.addOnce(TOM, 'key'));
      expect(inserts).to.be.at.least(1);
      expect(await catalogue.addOnce(TOM, 'key')).to.deep.equal({ pet, replayed: true });
      expect((await catalogue.list({ limit: 100, status: TOM.status })).pets).to.deep.equal([pet]);
    });

    it('restores animals once', async () => {
      const records = [1000n, 1001n].map((id) => ({
        pet: { id, ...TOM },
        idempotencyDigest: String(id).padStart(64, 'a'),
      }));
      loseFirstAnswer();
      await untilAnswered(async () => catalogue.restore(records));
      expect(inserts).to.be.at.least(1);
      expect(await catalogue.restore(records)).to.deep.equal({ restored: 0, unchanged: 2, conflicts: [] });
    });

    it('stores an animal without a key at most once for each call', async () => {
      loseFirstAnswer();
      await Promise.allSettled([catalogue.add(TOM)]);
      expect((await catalogue.list({ limit: 100, status: TOM.status })).pets).to.have.length(1);
    });

    it('fails no creation but those of a batch that has no answer', async () => {
      let hang: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => (hang = resolve));
      const isHeld = new Promise<void>((resolve) => {
        proxy.judge((chunk) => {
          if (!chunk.includes('insert') || ++inserts > 1) return 'pass';
          resolve();
          return { until: hanging };
        });
      });
      const held = Promise.allSettled([catalogue.add(TOM)]);
      await isHeld;
      const others = await Promise.all(Array.from({ length: 5 }, async () => catalogue.add(REX)));
      expect(new Set(others.map(({ id }) => id)).size).to.equal(5);
      hang();
      await held;
    });
  });
}
