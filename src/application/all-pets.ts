import type { CallOptions } from '../domain/call-options.js';
import type { Pet } from '../domain/pet.js';
import type { AnimalStore } from './animal-store.js';
import { LIST_LIMIT, type ListPetsInput } from './list-pets.js';

/**
 * Yields every animal that a query matches, by ascending id, across all pages. Requests a page only after the previous one is
 * used up, so a loop may stop early. Yields each animal exactly once that was stored before the first page was requested, and
 * may yield animals that are added later.
 *
 * The iteration rejects as `listPets` does.
 *
 * @param query As for `listPets`, except that `limit` is the maximum number of animals in a page (default 100), not in total.
 * @param options A `signal` ends the iteration: it is passed to each `listPets`.
 * @example
 * for await (const pet of allPets(store, { status: 'available' })) console.log(pet.name);
 */
export async function* allPets(
  store: Pick<AnimalStore, 'listPets'>,
  query: ListPetsInput = {},
  options?: CallOptions,
): AsyncGenerator<Pet, void, undefined> {
  let after = query.after;
  do {
    const page = await store.listPets({ ...query, limit: query.limit ?? LIST_LIMIT.maximum, after }, options);
    yield* page.pets;
    after = page.next;
  } while (after !== undefined);
}
