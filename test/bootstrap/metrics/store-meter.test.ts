import { expect } from 'chai';
import { Registry } from 'prom-client';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { storeMeter } from '../../../src/bootstrap/metrics/store-meter.js';
import { Metrics } from '../../support/metrics.js';
import { rejectionOf } from '../../support/rejection-of.js';

describe('storeMeter', () => {
  it('records for how long a call of the store ran, whether it succeeded or failed', async () => {
    const registry = new Registry();
    const meter = storeMeter([registry]);
    const list = async (): Promise<never> => Promise.reject(new Error('it is broken'));
    const catalogue = meter.measureCatalogue(Object.assign(new InMemoryPetCatalogue(), { list }));
    const start = performance.now();
    await catalogue.find(1n);
    await rejectionOf(catalogue.list({ limit: 1 }));
    const passed = (performance.now() - start) / 1000;
    const metrics = new Metrics(await registry.metrics());
    for (const labels of [
      { operation: 'pets.find', outcome: 'ok' },
      { operation: 'pets.list', outcome: 'failed' },
    ]) {
      expect(metrics.value('animal_store_store_operation_duration_seconds_count', labels)).to.equal(1);
      expect(metrics.value('animal_store_store_operation_duration_seconds_sum', labels)).to.be.within(0, passed);
    }
  });

  it('calls the method that the catalogue has at the time of each call, such as one that a test has replaced', async () => {
    const pet = { id: 99n, name: 'Tom', categoryId: 7n };
    const catalogue = new InMemoryPetCatalogue();
    const measured = storeMeter([new Registry()]).measureCatalogue(catalogue);
    catalogue.find = async () => pet;
    catalogue.addOnce = async () => ({ pet, replayed: true });
    expect(await measured.find(1n)).to.equal(pet);
    expect(await measured.addOnce?.(pet, 'mine')).to.deep.equal({ pet, replayed: true });
  });

  it('counts a call that throws as failed, and one that its caller has cancelled as aborted', async () => {
    const registry = new Registry();
    const enough = new Error('enough');
    const signal = AbortSignal.abort(enough);
    const catalogue = new InMemoryPetCatalogue();
    const measured = storeMeter([registry]).measureCatalogue(catalogue);
    const pet = { name: 'Rex', categoryId: 7n };
    for (const [method, operation, ...args] of [
      ['add', 'pets.add', pet],
      ['addOnce', 'pets.add_once', pet, 'mine'],
      ['list', 'pets.list', { limit: 1 }],
      ['find', 'pets.find', 1n],
    ] as const) {
      const call = measured[method] as (...args: unknown[]) => Promise<unknown>;
      for (const thrown of [enough, new Error('it is broken')]) {
        catalogue[method] = () => {
          throw thrown;
        };
        expect(() => call(...args, { signal }), method).to.throw(thrown.message);
      }
      const metrics = new Metrics(await registry.metrics());
      for (const outcome of ['failed', 'aborted']) {
        const name = 'animal_store_store_operation_duration_seconds_count';
        expect(metrics.value(name, { operation, outcome }), `${operation} ${outcome}`).to.equal(1);
      }
    }
  });

  it('adds no addOnce to a catalogue that lacks it', () => {
    const { add, list, find } = new InMemoryPetCatalogue();
    expect(storeMeter([new Registry()]).measureCatalogue({ add, list, find })).to.have.all.keys('add', 'list', 'find');
  });
});
