import assert from 'node:assert/strict';
import { isAnimalStoreError, type AnimalStoreError } from '../../src/domain/errors.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { isObject, type PortResults } from './port-results.js';
import type { Checks } from './test-runner.js';

/** What each method of a catalogue gives. */
export const CATALOGUE_RESULTS: PortResults<PetCatalogue> = {
  add: { must: 'resolve to the stored animal', isRight: isObject },
  list: {
    must: 'resolve to { pets }, an array of animals, and with next, an id, if more follow',
    isRight: (page) => isObject(page) && Array.isArray(page['pets']),
  },
  find: { must: 'resolve to the animal or to undefined', isRight: (pet) => pet === undefined || isObject(pet) },
  addOnce: {
    must: 'resolve to { pet, replayed }, the stored animal and a boolean',
    isRight: (creation) => isObject(creation) && isObject(creation['pet']),
    isOptional: true,
  },
  records: {
    must: 'return an AsyncIterable of { pet }, each an animal, and with the digest of its key if it has one',
    isRight: (records) => isObject(records) && Symbol.asyncIterator in records,
    isOptional: true,
  },
  restore: {
    must: 'resolve to { restored, unchanged, conflicts }, two numbers and an array of indexes',
    isRight: (result) => isObject(result) && Array.isArray(result['conflicts']),
    isOptional: true,
  },
};

/** The optional methods that a catalogue is to have. `restore` stands for `records` too. */
export interface Capabilities {
  readonly addOnce: boolean;
  readonly restore: boolean;
}

/** The same checks, which fail a catalogue that lacks one of the methods. */
export function needing(
  methods: readonly ('addOnce' | 'records' | 'restore')[],
  checks: Checks<Required<PetCatalogue>>,
): Checks<PetCatalogue> {
  const entries = Object.entries(checks).map(([sentence, check]) => {
    const checkCapable = async (catalogue: PetCatalogue): Promise<void> => {
      for (const method of methods) assert.ok(catalogue[method] !== undefined, `the catalogue has no ${method}`);
      await check(catalogue as Required<PetCatalogue>);
    };
    return [sentence, checkCapable] as const;
  });
  return Object.fromEntries(entries);
}

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
