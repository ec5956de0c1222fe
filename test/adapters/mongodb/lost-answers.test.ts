import { expect } from 'chai';
import type { Db } from 'mongodb';
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
/** Of the inserts, each of which stores several animals, the answers of one in five are lost. */
const LOST_EACH = 5;

for (const needsMongod of [false, true]) {
  const what = needsMongod ? ' on a replica set, whose writes the driver repeats once' : '';
  describe(`MongoPetCatalogue over connections that are lost with an answer${what}`, () => {
    const mongodb = useMongodb({ needsMongod });
    let proxy: TcpProxy;
    let catalogue: MongoPetCatalogue;
    let db: Db;
    let lost: number;

    beforeEach(async function connect() {
      proxy = await startTcpProxy(mongodb.localPort(this));
      db = mongodb.createDatabase();
      const url = throughProxy(mongodb.server().url, proxy, db.databaseName);
      const client = createMongoClient(url, PATIENT);
      endWithTest(async () => client.close());
      await prepareDatabase(client.db());
      catalogue = new MongoPetCatalogue(client.db(), PATIENT);
      await catalogue.add({ ...REX, name: 'Fido' });
      lost = 0;
    });

    /** Loses the answers of some inserts. */
    function loseAnswers(isLost: (insert: number) => boolean): void {
      let inserts = 0;
      proxy.judge((chunk) => {
        if (!chunk.includes('insert') || !isLost(++inserts)) return 'pass';
        lost++;
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
      loseAnswers((insert) => insert === 1);
      const { pet } = await untilAnswered(async () => catalogue.addOnce(TOM, 'key'));
      expect(lost).to.equal(1);
      expect(await catalogue.addOnce(TOM, 'key')).to.deep.equal({ pet, replayed: true });
      expect((await catalogue.list({ limit: 100, status: TOM.status })).pets).to.deep.equal([pet]);
    });

    it('restores animals once', async () => {
      const records = [1000n, 1001n].map((id) => ({
        pet: { id, ...TOM },
        idempotencyDigest: String(id).padStart(64, 'a'),
      }));
      loseAnswers((insert) => insert === 1);
      await untilAnswered(async () => catalogue.restore(records));
      expect(lost).to.equal(1);
      expect(await catalogue.restore(records)).to.deep.equal({ restored: 0, unchanged: 2, conflicts: [] });
    });

    it('stores an animal without a key at most once for each call', async () => {
      loseAnswers((insert) => insert === 1);
      await Promise.allSettled([catalogue.add(TOM)]);
      expect((await catalogue.list({ limit: 100, status: TOM.status })).pets).to.have.length(1);
    });

    it('fails no creation but those of a batch that has no answer', async () => {
      let hang: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => (hang = resolve));
      const isHeld = new Promise<void>((resolve) => {
        let inserts = 0;
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

    if (!needsMongod) return;
    it(`loses and repeats none of ${CREATIONS} creations`, async () => {
      loseAnswers((insert) => insert % LOST_EACH === 0);
      const stored: Pet[] = [];
      let failed = 0;
      let left = CREATIONS;
      const create = async (): Promise<void> => {
        while (left-- > 0) {
          try {
            stored.push(await catalogue.add(REX));
          } catch (error) {
            expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
            failed++;
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, create));
      expect(lost).to.be.greaterThan(0);
      expect(failed).to.be.lessThan(CREATIONS / 2);
      expect(new Set(stored.map(({ id }) => id)).size).to.equal(CREATIONS - failed);
      expect(await db.collection('pets').countDocuments({ name: REX.name })).to.be.within(
        CREATIONS - failed,
        CREATIONS,
      );
    });
  });
}
