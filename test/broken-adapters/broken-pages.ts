import type { PetCatalogue, PetPage } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';
import { allPetsOf, vary } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

const LAST_PAGE = 'list leaves next out if the page ends with the last match';

/** Returns a different page than a sound catalogue does. */
function paging(change: (page: PetPage, sound: PetCatalogue) => PetPage | Promise<PetPage>): () => PetCatalogue {
  return vary((sound) => ({ list: async (query) => change(await sound.list(query), sound) }));
}

/** Catalogues with a wrong `next`, stale pages, or a wrong `find`, by their fault. */
export const brokenPages = byFault<() => PetCatalogue>({
  [LAST_PAGE]: {
    'has a next on every page': paging(({ pets }) => ({ pets, next: pets.at(-1)?.id ?? 0n })),
    'has a next on every full page': vary((sound) => ({
      list: async (query) => {
        const page = await sound.list(query);
        return page.pets.length === query.limit ? { ...page, next: page.pets.at(-1)?.id as bigint } : page;
      },
    })),
    'has undefined as next of the last page': paging(({ pets, next }) => ({ pets, next: next as bigint })),
  },
  'list has the id of its last animal as next if more match': {
    'never has a next': paging(({ pets }) => ({ pets })),
    'has a number as next': paging(({ pets, next }) =>
      next === undefined ? { pets } : { pets, next: Number(next) as unknown as bigint },
    ),
  },
  'list gives each animal exactly once over its pages': {
    'has the id of the following animal as next': paging(({ pets, next }) =>
      next === undefined ? { pets } : { pets, next: next + 1n },
    ),
  },
  'list counts only the matching animals for next': {
    'counts animals of any status for next': paging(async ({ pets }, sound) => {
      const last = pets.at(-1)?.id;
      const more = last !== undefined && (await allPetsOf(sound)).some(({ id }) => id > last);
      return more ? { pets, next: last } : { pets };
    }),
  },
  'list is an empty page without next in an empty catalogue': {
    'rejects if no animal matches': paging((page) => {
      if (page.pets.length === 0) throw new Error('nothing found');
      return page;
    }),
  },
  'list shows animals that were added since the previous page': {
    'lists from a snapshot of the first page': vary((sound) => {
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
  },
  'list returns an array that the caller may change': {
    'hands out the array that it keeps': vary((sound) => {
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
  },
  'list shows animals that were added since it was empty': {
    'remembers that a page was empty': vary((sound) => {
      const empty = new Set<string | undefined>();
      return {
        list: async (query) => {
          const page = empty.has(query.status) ? { pets: [] } : await sound.list(query);
          if (page.pets.length === 0) empty.add(query.status);
          return page;
        },
      };
    }),
  },
  'find resolves to undefined in an empty catalogue': {
    'finds null if there is no animal': vary((sound) => ({
      find: async (id) => (await sound.find(id)) ?? (null as unknown as undefined),
    })),
    'rejects if there is no animal': vary((sound) => ({
      find: async (id) => {
        const pet = await sound.find(id);
        if (pet === undefined) throw new Error('not found');
        return pet;
      },
    })),
  },
  'find resolves to undefined for every id that no animal has': {
    'finds by 32 bits of the id': vary((sound) => ({ find: async (id) => sound.find(BigInt.asIntN(32, id)) })),
    'finds by the absolute value of the id': vary((sound) => ({ find: async (id) => sound.find(id < 0n ? -id : id) })),
    'finds the nearest animal': vary((sound) => ({
      find: async (id) => (await sound.list({ limit: 1, after: id - 1n })).pets[0],
    })),
  },
  'find sees an animal that it did not find before it was added': {
    'remembers that it did not find an animal': vary((sound) => {
      const missing = new Set<bigint>();
      return {
        find: async (id) => {
          const pet = missing.has(id) ? undefined : await sound.find(id);
          if (pet === undefined) missing.add(id);
          return pet;
        },
      };
    }),
  },
});
