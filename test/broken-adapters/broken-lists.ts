import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { PetStatus } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import { fail, type Broken } from './breaking.js';
import { allPetsOf, around, vary } from './broken-catalogue.js';

/** Lists correctly, but from the wrong animals. */
function listingFrom(arrange: (pets: Pet[], query: PetQuery) => Pet[]): () => PetCatalogue {
  return vary((sound) => ({ list: async (query) => pageOf(arrange(await allPetsOf(sound), query), query.limit) }));
}

/** Lists correctly, but from these of the animals that match. */
function listingMatches(arrange: (pets: Pet[], query: PetQuery) => Pet[]): () => PetCatalogue {
  return listingFrom((pets, query) => arrange(pets.filter(matches(query)), query));
}

/** Makes something else of each page. */
function paging(change: (page: PetPage, limit: number) => object): () => PetCatalogue {
  return around('list', async (list, query) => change(await list(query), query.limit));
}

function pageOf(pets: readonly Pet[], limit: number): PetPage {
  const page = pets.slice(0, limit);
  return pets.length > limit ? { pets: page, next: page.at(-1)?.id as bigint } : { pets: page };
}

function matches({ status, after = 0n }: Omit<PetQuery, 'limit'>): (pet: Pet) => boolean {
  return (pet) => pet.id > after && (status === undefined || pet.status === status);
}

/** Catalogues whose pages hold wrong animals or a wrong `next`, or are stale, or whose `find` is wrong. */
export const brokenLists: Broken<() => PetCatalogue> = {
  'list returns at most limit animals, up to 100, complete and by ascending id': {
    'orders by name': listingMatches((pets) => pets.sort((a, b) => a.name.localeCompare(b.name))),
    'orders ids as text': listingMatches((pets) => pets.sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1))),
    'lists the newest animals on the first page': listingMatches((pets, { limit }) => pets.slice(-limit)),
    'lists one too many': around('list', (list, query) => list({ ...query, limit: query.limit + 1 })),
    'lists at most 50': around('list', (list, query) => list({ ...query, limit: Math.min(50, query.limit) })),
    'leaves members out of a list': paging(({ pets, ...page }) => ({
      ...page,
      pets: pets.map(({ id, name }) => Object.freeze({ id, name })),
    })),
  },
  'list starts right after any id given as after, and after 0, whether or not an animal has it': {
    'includes the animal named by after': around('list', (list, { after, ...query }) =>
      list({ ...query, ...(after !== undefined && { after: after - 1n }) }),
    ),
    'ignores after': around('list', (list, { after, ...query }) => list(query)),
    'keeps after in 32 bits': around('list', (list, { after = 0n, ...query }) =>
      list({ ...query, after: BigInt.asIntN(32, after) }),
    ),
    'takes only the id of an animal as after': listingFrom((pets, { after, ...query }) => {
      const start = pets.findIndex(({ id }) => id === after) + 1;
      return after !== undefined && start === 0 ? [] : pets.slice(start).filter(matches(query));
    }),
  },
  'list returns only the animals with the requested status': {
    'treats an animal without a status as available': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query)({ status: 'available', ...pet })),
    ),
    'treats an animal without a status as one of any status': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query)({ status: query.status as PetStatus, ...pet })),
    ),
  },
  'list gives each animal exactly once over its pages, also with a status': {
    'lists an animal twice': listingMatches((pets) => pets.flatMap((pet) => [pet, pet])),
    'has the id of the following animal as next': paging(({ pets, next }) =>
      next === undefined ? { pets } : { pets, next: next + 1n },
    ),
    'counts after in animals, not in ids': listingFrom((pets, { after = 0n, ...query }) =>
      pets.filter(matches(query)).slice(Math.max(0, Number(after))),
    ),
    'applies the limit before the status': around('list', async (list, { status, ...query }) => {
      const page = await list(query);
      return { ...page, pets: page.pets.filter((pet) => status === undefined || pet.status === status) };
    }),
  },
  'list has the id of its last animal as next if more match, and otherwise no next': {
    'counts animals of any status for next': vary((sound) => ({
      list: async (query) => {
        const { pets } = await sound.list(query);
        const last = pets.at(-1)?.id;
        const hasMore = last !== undefined && (await allPetsOf(sound)).some(({ id }) => id > last);
        return hasMore ? { pets, next: last } : { pets };
      },
    })),
    'has a next on every full page': paging((page, limit) =>
      page.pets.length === limit ? { ...page, next: page.pets.at(-1)?.id } : page,
    ),
    'has undefined as next of the last page': paging(({ pets, next }) => ({ pets, next })),
    'never has a next': paging(({ pets }) => ({ pets })),
    'has a number as next': paging(({ pets, next }) => (next === undefined ? { pets } : { pets, next: Number(next) })),
  },
  'list is an empty page without next in an empty catalogue': {
    'rejects if no animal matches': paging((page) => (page.pets.length === 0 ? fail() : page)),
  },
  'list shows animals that were added since the previous page, or since it was empty': {
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
  'list returns an array that the caller may change': {
    'hands out the array that it keeps': vary((sound) => {
      const kept: Pet[] = [];
      return {
        add: async (newPet) => {
          const pet = await sound.add(newPet);
          kept.push(pet);
          return pet;
        },
        list: async () => ({ pets: kept }),
      };
    }),
  },
  'find resolves to undefined for every id that no animal has, and to the animal once one has it': {
    'finds null if there is no animal': around('find', async (find, id) => (await find(id)) ?? null),
    'rejects if there is no animal': around('find', async (find, id) => (await find(id)) ?? fail()),
    'finds by 32 bits of the id': around('find', (find, id) => find(BigInt.asIntN(32, id))),
    'finds by the absolute value of the id': around('find', (find, id) => find(id < 0n ? -id : id)),
    'finds the nearest animal': vary((sound) => ({
      find: async (id) => (await sound.list({ limit: 1, after: id - 1n })).pets[0],
    })),
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
};
