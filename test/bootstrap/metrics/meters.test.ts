import { expect } from 'chai';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { mongodbMeter, storeMeter } from '../../../src/bootstrap/metrics/meters.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { Metrics } from '../../support/metrics.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

describe('the meters', () => {
  let registry: Registry;

  beforeEach(() => (registry = new Registry()));

  const valueOf = async (name: string, labels?: Readonly<Record<string, string>>): Promise<number> =>
    new Metrics(await registry.metrics()).value(`animal_store_${name}`, labels);

  describe('storeMeter', () => {
    const DURATION = 'store_operation_duration_seconds';
    const pet = { name: 'Rex', categoryId: 7n };

    it('records for how long each call ran, and returns what the catalogue returns', async () => {
      const catalogue = storeMeter([registry]).measureCatalogue(new InMemoryPetCatalogue());
      const start = performance.now();
      expect(await catalogue.addOnce?.(pet, 'mine')).to.deep.include({ replayed: false });
      expect(await catalogue.find(1n)).to.include(pet);
      const passed = (performance.now() - start) / 1000;
      for (const operation of ['pets.add_once', 'pets.find']) {
        expect(await valueOf(`${DURATION}_count`, { operation, outcome: 'ok' }), operation).to.equal(1);
        expect(await valueOf(`${DURATION}_sum`, { operation }), operation).to.be.within(0, passed);
      }
    });

    it('tells how each call failed, and rejects as the catalogue does', async () => {
      const enough = new Error('enough');
      const signal = AbortSignal.abort(enough);
      const catalogue = new InMemoryPetCatalogue();
      const measured = storeMeter([registry]).measureCatalogue(catalogue);
      for (const [method, operation, ...args] of [
        ['add', 'pets.add', pet],
        ['addOnce', 'pets.add_once', pet, 'mine'],
        ['list', 'pets.list', { limit: 1 }],
        ['find', 'pets.find', 1n],
      ] as const) {
        const call = measured[method] as (...args: unknown[]) => Promise<unknown>;
        for (const [outcome, error] of [
          ['aborted', enough],
          ['failed', new Error('it is broken')],
          ['unavailable', new AnimalStoreError('store_unavailable', 'silent')],
          ['refused', new AnimalStoreError('idempotency_key_reused', 'another animal')],
        ] as const) {
          catalogue[method] = async () => Promise.reject(error);
          expect(await rejectionOf(call(...args, { signal })), method).to.equal(error);
          expect(await valueOf(`${DURATION}_count`, { operation, outcome }), `${operation} ${outcome}`).to.equal(1);
        }
      }
    });

    it('adds no addOnce to a catalogue that lacks it', () => {
      const { add, list, find } = new InMemoryPetCatalogue();
      expect(storeMeter([registry]).measureCatalogue({ add, list, find })).to.have.all.keys('add', 'list', 'find');
    });
  });

  describe('mongodbMeter', () => {
    it('counts connections that are opened and closed, and operations that got none, by the reason', async () => {
      const proxy = await startTcpProxy((await startDatalessMongodb()).port);
      const client = createMongoClient(`mongodb://127.0.0.1:${proxy.port}/zoo?maxPoolSize=1&waitQueueTimeoutMS=200`);
      endWithTest(async () => client.close());
      mongodbMeter([registry]).watchClient(client);
      const ping = async (): Promise<unknown> => client.db().command({ ping: 1 });

      await client.connect();
      await ping();
      expect(await valueOf('mongodb_pool_connections_created_total')).to.equal(1);
      proxy.swallow();
      const isTaken = once(client, 'connectionCheckedOut');
      const unanswered = rejectionOf(ping());
      await isTaken;
      await rejectionOf(ping());
      expect(await valueOf('mongodb_pool_checkouts_failed_total', { reason: 'timeout' })).to.equal(1);
      proxy.pass();
      proxy.hangUp();
      await unanswered;
      await client.close();
      const created = await valueOf('mongodb_pool_connections_created_total');
      expect(await valueOf('mongodb_pool_connections_closed_total')).to.equal(created);
    });
  });
});
