import { expect } from 'chai';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { patientCatalogue, patientRegistry } from '../../../src/bootstrap/commands/patience.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { PetCatalogue, PetRecord } from '../../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n };
const UNAVAILABLE = new AnimalStoreError('store_unavailable', 'the database is busy');
const PATIENCE = { totalMs: 60_000, pauseMs: 1 };

describe('the patience of bulk commands', () => {
  /** A catalogue of three animals whose methods fail so many times before they answer. */
  function failing(times: number, error: Error = UNAVAILABLE): PetCatalogue {
    const catalogue = new InMemoryPetCatalogue([REX, REX, REX]);
    let failures = 0;
    return new Proxy(catalogue, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (name === 'records') return failingRecords;
        return (...args: unknown[]) => (failures++ < times ? Promise.reject(error) : method.apply(target, args));
      },
    });
    async function* failingRecords(after?: bigint): AsyncGenerator<PetRecord> {
      for await (const record of catalogue.records(after)) {
        yield record;
        if (failures++ < times) throw error;
      }
    }
  }

  it('repeats a call until the store answers', async () => {
    const restored = { pet: { ...REX, id: 9n } };
    expect(await patientCatalogue(failing(3), PATIENCE).addOnce?.(REX, 'key')).to.deep.include({ replayed: false });
    expect((await patientCatalogue(failing(3), PATIENCE).list({ limit: 5 })).pets).to.have.lengthOf(3);
    expect(await patientCatalogue(failing(3), PATIENCE).restore?.([restored])).to.deep.include({ restored: 1 });
  });

  it('goes on after the last record', async () => {
    const ids: bigint[] = [];
    for await (const { pet } of patientCatalogue(failing(2), PATIENCE).records?.() ?? []) ids.push(pet.id);
    expect(ids).to.deep.equal([1n, 2n, 3n]);
  });

  it('ends after its time, and at once for any other error', async () => {
    const impatient = patientCatalogue(failing(Infinity), { totalMs: 5, pauseMs: 1 });
    expect(await rejectionOf(impatient.list({ limit: 1 }))).to.equal(UNAVAILABLE);
    const fault = new Error('a fault');
    expect(await rejectionOf(patientCatalogue(failing(1, fault), PATIENCE).list({ limit: 1 }))).to.equal(fault);
  });

  it('does not repeat a creation without a key, which may be stored', async () => {
    expect(await rejectionOf(patientCatalogue(failing(1), PATIENCE).add(REX))).to.equal(UNAVAILABLE);
  });

  it('adds no method to a catalogue that lacks it', () => {
    const { add, list, find } = new InMemoryPetCatalogue();
    expect(patientCatalogue({ add, list, find })).to.have.all.keys('add', 'list', 'find');
  });

  it('repeats the calls to a registry', async () => {
    const registry = new InMemoryApiKeys();
    let failures = 0;
    const list: typeof registry.list = async (query) =>
      failures++ < 2 ? Promise.reject(UNAVAILABLE) : InMemoryApiKeys.prototype.list.call(registry, query);
    expect(await patientRegistry(Object.assign(registry, { list }), PATIENCE).list({ limit: 1 })).to.deep.equal({
      keys: [],
    });
  });
});
