import assert from 'node:assert/strict';
import { isAnimalStoreError, type AnimalStoreError } from '../../src/domain/errors.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';

/** The greatest number of animals that a check stores. */
const MOST = 1000;

/** Every animal that a query matches, page by page. */
export async function petsOf(catalogue: PetCatalogue, query: PetQuery = { limit: 100 }): Promise<Pet[]> {
  const pets: Pet[] = [];
  let page: PetPage | undefined;
  do {
    page = await catalogue.list({ ...query, ...(page?.next !== undefined && { after: page.next }) });
    assert.ok(page.next === undefined || page.pets.length > 0, 'an empty page has a next');
    pets.push(...page.pets);
    assert.ok(pets.length <= MOST, 'the pages do not end');
  } while (page.next !== undefined);
  return pets;
}

/** Asserts that `find` and `list` return `newPet` with this id, and nothing more. */
export async function assertStored(catalogue: PetCatalogue, id: bigint, newPet: NewPet): Promise<void> {
  const { pets } = await catalogue.list({ limit: 1, after: id - 1n });
  assert.deepEqual(await catalogue.find(id), { id, ...newPet });
  assert.deepEqual(pets[0], { id, ...newPet });
}

/** Asserts that ids are all greater than those before. Returns the greatest. */
export function assertGreater(before: bigint, ids: readonly bigint[]): bigint {
  for (const id of ids) assert.ok(id > before, `${id} follows ${before}`);
  return ids.reduce((greatest, id) => (id > greatest ? id : greatest), before);
}

/** Asserts that callers cannot change an animal. */
export function assertFrozen(pet: Pet | undefined): void {
  assert.ok(pet !== undefined, 'the animal is missing');
  assert.equal(Reflect.set(pet, 'name', 'changed'), false, 'its name can be set');
  assert.equal(Reflect.deleteProperty(pet, 'status'), false, 'its status can be deleted');
  assert.equal(Reflect.set(pet, 'colour', 'brown'), false, 'a member can be added to it');
}

/** Asserts that a creation is refused because its key belongs to another animal. Resolves to the error. */
export async function assertReused(creating: Promise<unknown> | undefined, what = ''): Promise<AnimalStoreError> {
  const outcome: unknown = await creating?.catch((error: unknown) => error);
  assert.ok(isAnimalStoreError(outcome), `${what} did not reject with an AnimalStoreError`);
  assert.equal(outcome.code, 'idempotency_key_reused');
  return outcome;
}
