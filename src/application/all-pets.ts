import type { Pet } from '../domain/pet.js';
import type { AnimalStore } from './animal-store.js';
import { LIST_LIMIT, type ListPetsInput } from './list-pets.js';

/**
 * Every animal that a query matches, by ascending id, over all pages. Asks for a page only when the one before is used up, so a
 * loop may end early. Shows each animal exactly once that was there before the first page was asked for, and maybe some
 * that are added later.
 *
 * Rejects, from the first step on, as `listPets` does.
 *
 * @param query As for `listPets`, but `limit` is the greatest number of animals in a page, by default 100, not in all.
 * @example
 * for await (const pet of allPets(store, { status: 'available' })) console.log(pet.name);
 */
export async function* allPets(
  store: Pick<AnimalStore, 'listPets'>,
  query: ListPetsInput = {},
): AsyncGenerator<Pet, void, undefined> {
  let after = query.after;
  do {
    const page = await store.listPets({ ...query, limit: query.limit ?? LIST_LIMIT.maximum, after });
    yield* page.pets;
    after = page.next;
  } while (after !== undefined);
}
