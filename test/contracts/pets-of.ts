import assert from 'node:assert/strict';
import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';

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
