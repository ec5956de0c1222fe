import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { PetStatus } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import { allPetsOf, vary } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

const EXACTLY_ONCE = 'list gives each animal exactly once over its pages';

/** Lists from all the animals, with one answer of a sound catalogue at hand. */
function listing(list: (query: PetQuery, sound: PetCatalogue) => Promise<PetPage>): () => PetCatalogue {
  return vary((sound) => ({ list: async (query) => list(query, sound) }));
}

/** Lists correctly, but from the wrong animals. */
function listingFrom(arrange: (pets: Pet[], query: PetQuery) => Pet[]): () => PetCatalogue {
  return listing(async (query, sound) => {
    const pets = arrange(await allPetsOf(sound), query);
    const page = pets.slice(0, query.limit);
    const last = page.at(-1);
    return pets.length > query.limit && last !== undefined ? { pets: page, next: last.id } : { pets: page };
  });
}

function matches({ status, after = 0n }: PetQuery, pet: Pet): boolean {
  return pet.id > after && (status === undefined || pet.status === status);
}

/** Catalogues whose pages hold wrong animals, by their fault. */
export const brokenLists = byFault<() => PetCatalogue>({
  'list ascends by id': {
    'lists in descending order': listingFrom((pets, query) => pets.filter((pet) => matches(query, pet)).reverse()),
    'orders ids as text': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1)),
    ),
  },
  'list returns at most limit animals, the lowest ids first': {
    'orders by name': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).sort((a, b) => a.name.localeCompare(b.name)),
    ),
    'lists one too many': listing(async (query, sound) => sound.list({ ...query, limit: query.limit + 1 })),
    'ignores the limit': listing(async (query, sound) => sound.list({ ...query, limit: 1000 })),
    'lists the newest animals on the first page': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).slice(-query.limit),
    ),
  },
  'list starts right after the id given as after': {
    'includes the animal named by after': listing(async ({ after, ...query }, sound) =>
      sound.list({ ...query, ...(after !== undefined && { after: after - 1n }) }),
    ),
    'ignores after': listing(async ({ after, ...query }, sound) => sound.list(query)),
  },
  'list combines status, after and limit': {
    'counts after in animals, not in ids': listingFrom((pets, { after = 0n, ...query }) =>
      pets.filter((pet) => matches(query, pet)).slice(after > 1000n ? 1000 : Math.max(0, Number(after))),
    ),
    'ignores after beside a status': listingFrom((pets, { after = 0n, status }) =>
      pets.filter((pet) => (status === undefined ? pet.id > after : pet.status === status)),
    ),
    'applies the limit before the status': listing(async ({ status, ...query }, sound) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.filter((pet) => status === undefined || pet.status === status) };
    }),
  },
  'list takes any int64 as after, whether or not an animal has it': {
    'keeps after in 32 bits': listing(async ({ after = 0n, ...query }, sound) =>
      sound.list({ ...query, after: BigInt.asIntN(32, after) }),
    ),
    'takes only the id of an animal as after': listingFrom((pets, { after, ...query }) => {
      const start = pets.findIndex(({ id }) => id === after) + 1;
      return after !== undefined && start === 0 ? [] : pets.slice(start).filter((pet) => matches(query, pet));
    }),
  },
  'list returns up to 100 animals': {
    'lists at most 50': listing(async (query, sound) => sound.list({ ...query, limit: Math.min(50, query.limit) })),
  },
  'list returns only the animals with the requested status': {
    'ignores the status': listing(async ({ status, ...query }, sound) => sound.list(query)),
  },
  'list leaves out an animal without a status if a status is requested': {
    'treats an animal without a status as available': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, { status: 'available', ...pet })),
    ),
    'treats an animal without a status as one of any status': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, { status: query.status as PetStatus, ...pet })),
    ),
  },
  [EXACTLY_ONCE]: {
    'lists an animal twice': listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).flatMap((pet) => [pet, pet]),
    ),
  },
  'list returns complete animals': {
    'leaves members out of a list': listing(async (query, sound) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.map(({ id, name }) => Object.freeze({ id, name }) as Pet) };
    }),
  },
});
