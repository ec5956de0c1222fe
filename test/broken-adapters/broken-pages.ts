import type { PetCatalogue, PetPage } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';
import { allPetsOf, vary, type BrokenCatalogue } from './broken-catalogue.js';

const LAST_PAGE = 'list leaves next out if the page ends with the last match';

/** Returns a different page than a sound catalogue does. */
function paging(change: (page: PetPage, sound: PetCatalogue) => PetPage | Promise<PetPage>): () => PetCatalogue {
  return vary((sound) => ({ list: async (query) => change(await sound.list(query), sound) }));
}

/** Catalogues with a wrong `next`, stale pages, or a wrong `find`, by their fault. */
export const brokenPages: Readonly<Record<string, BrokenCatalogue>> = {
  'has a next on every page': {
    create: paging(({ pets }) => ({ pets, next: pets.at(-1)?.id ?? 0n })),
    caughtBy: LAST_PAGE,
  },
  'has a next on every full page': {
    create: vary((sound) => ({
      list: async (query) => {
        const page = await sound.list(query);
        return page.pets.length === query.limit ? { ...page, next: page.pets.at(-1)?.id as bigint } : page;
      },
    })),
    caughtBy: LAST_PAGE,
  },
  'never has a next': {
    create: paging(({ pets }) => ({ pets })),
    caughtBy: 'list has the id of its last animal as next if more match',
  },
  'has undefined as next of the last page': {
    create: paging(({ pets, next }) => ({ pets, next: next as bigint })),
    caughtBy: LAST_PAGE,
  },
  'has the id of the following animal as next': {
    create: paging(({ pets, next }) => (next === undefined ? { pets } : { pets, next: next + 1n })),
    caughtBy: 'list gives each animal exactly once over its pages',
  },
  'has a number as next': {
    create: paging(({ pets, next }) =>
      next === undefined ? { pets } : { pets, next: Number(next) as unknown as bigint },
    ),
    caughtBy: 'list has the id of its last animal as next if more match',
  },
  'counts animals of any status for next': {
    create: paging(async ({ pets }, sound) => {
      const last = pets.at(-1)?.id;
      const more = last !== undefined && (await allPetsOf(sound)).some(({ id }) => id > last);
      return more ? { pets, next: last } : { pets };
    }),
    caughtBy: 'list counts only the matching animals for next',
  },
  'rejects if no animal matches': {
    create: paging((page) => {
      if (page.pets.length === 0) throw new Error('nothing found');
      return page;
    }),
    caughtBy: 'list is an empty page without next in an empty catalogue',
  },
  'lists from a snapshot of the first page': {
    create: vary((sound) => {
      let snapshot: Pet[] | undefined;
      return {
        list: async ({ limit, status, after = 0n }) => {
          snapshot ??= await allPetsOf(sound);
          const rest = snapshot.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
          const pets = rest.slice(0, limit);
          const last = pets.at(-1);
          return rest.length > limit && last !== undefined ? { pets, next: last.id } : { pets };
        },
      };
    }),
    caughtBy: 'list shows animals that were added since the previous page',
  },
  'hands out the array that it keeps': {
    create: vary((sound) => {
      const kept: Pet[] = [];
      return {
        add: async (newPet) => {
          const pet = await sound.add(newPet);
          kept.push(pet);
          return pet;
        },
        list: async (query) => (kept.length <= query.limit ? { pets: kept } : sound.list(query)),
      };
    }),
    caughtBy: 'list returns an array that the caller may change',
  },
  'remembers that a page was empty': {
    create: vary((sound) => {
      const empty = new Set<string | undefined>();
      return {
        list: async (query) => {
          const page = empty.has(query.status) ? { pets: [] } : await sound.list(query);
          if (page.pets.length === 0) empty.add(query.status);
          return page;
        },
      };
    }),
    caughtBy: 'list shows animals that were added since it was empty',
  },
  'finds null if there is no animal': {
    create: vary((sound) => ({ find: async (id) => (await sound.find(id)) ?? (null as unknown as undefined) })),
    caughtBy: 'find resolves to undefined in an empty catalogue',
  },
  'rejects if there is no animal': {
    create: vary((sound) => ({
      find: async (id) => {
        const pet = await sound.find(id);
        if (pet === undefined) throw new Error('not found');
        return pet;
      },
    })),
    caughtBy: 'find resolves to undefined in an empty catalogue',
  },
  'finds by 32 bits of the id': {
    create: vary((sound) => ({ find: async (id) => sound.find(BigInt.asIntN(32, id)) })),
    caughtBy: 'find resolves to undefined for every id that no animal has',
  },
  'finds by the absolute value of the id': {
    create: vary((sound) => ({ find: async (id) => sound.find(id < 0n ? -id : id) })),
    caughtBy: 'find resolves to undefined for every id that no animal has',
  },
  'finds the nearest animal': {
    create: vary((sound) => ({ find: async (id) => (await sound.list({ limit: 1, after: id - 1n })).pets[0] })),
    caughtBy: 'find resolves to undefined for every id that no animal has',
  },
  'remembers that it did not find an animal': {
    create: vary((sound) => {
      const missing = new Set<bigint>();
      return {
        find: async (id) => {
          const pet = missing.has(id) ? undefined : await sound.find(id);
          if (pet === undefined) missing.add(id);
          return pet;
        },
      };
    }),
    caughtBy: 'find sees an animal that it did not find before it was added',
  },
};
