import type { PetCatalogue, PetPage, PetQuery } from '../../src/domain/pet-catalogue.js';
import type { PetStatus } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import { allPetsOf, vary, type BrokenCatalogue } from './broken-catalogue.js';

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
export const brokenLists: Readonly<Record<string, BrokenCatalogue>> = {
  'lists in descending order': {
    create: listingFrom((pets, query) => pets.filter((pet) => matches(query, pet)).reverse()),
    caughtBy: 'list ascends by id',
  },
  'orders ids as text': {
    create: listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).sort((a, b) => (`${a.id}` < `${b.id}` ? -1 : 1)),
    ),
    caughtBy: 'list ascends by id',
  },
  'orders by name': {
    create: listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, pet)).sort((a, b) => a.name.localeCompare(b.name)),
    ),
    caughtBy: 'list returns at most limit animals, the lowest ids first',
  },
  'includes the animal named by after': {
    create: listing(async ({ after, ...query }, sound) =>
      sound.list({ ...query, ...(after !== undefined && { after: after - 1n }) }),
    ),
    caughtBy: 'list starts right after the id given as after',
  },
  'counts after in animals, not in ids': {
    create: listingFrom((pets, { after = 0n, ...query }) =>
      pets.filter((pet) => matches(query, pet)).slice(after > 1000n ? 1000 : Math.max(0, Number(after))),
    ),
    caughtBy: 'list combines status, after and limit',
  },
  'ignores after': {
    create: listing(async ({ after, ...query }, sound) => sound.list(query)),
    caughtBy: 'list starts right after the id given as after',
  },
  'ignores after beside a status': {
    create: listingFrom((pets, { after = 0n, status }) =>
      pets.filter((pet) => (status === undefined ? pet.id > after : pet.status === status)),
    ),
    caughtBy: 'list combines status, after and limit',
  },
  'keeps after in 32 bits': {
    create: listing(async ({ after = 0n, ...query }, sound) =>
      sound.list({ ...query, after: BigInt.asIntN(32, after) }),
    ),
    caughtBy: 'list takes any int64 as after, whether or not an animal has it',
  },
  'takes only the id of an animal as after': {
    create: listingFrom((pets, { after, ...query }) => {
      const start = pets.findIndex(({ id }) => id === after) + 1;
      return after !== undefined && start === 0 ? [] : pets.slice(start).filter((pet) => matches(query, pet));
    }),
    caughtBy: 'list takes any int64 as after, whether or not an animal has it',
  },
  'lists one too many': {
    create: listing(async (query, sound) => sound.list({ ...query, limit: query.limit + 1 })),
    caughtBy: 'list returns at most limit animals, the lowest ids first',
  },
  'ignores the limit': {
    create: listing(async (query, sound) => sound.list({ ...query, limit: 1000 })),
    caughtBy: 'list returns at most limit animals, the lowest ids first',
  },
  'lists at most 50': {
    create: listing(async (query, sound) => sound.list({ ...query, limit: Math.min(50, query.limit) })),
    caughtBy: 'list returns up to 100 animals',
  },
  'lists the newest animals on the first page': {
    create: listingFrom((pets, query) => pets.filter((pet) => matches(query, pet)).slice(-query.limit)),
    caughtBy: 'list returns at most limit animals, the lowest ids first',
  },
  'ignores the status': {
    create: listing(async ({ status, ...query }, sound) => sound.list(query)),
    caughtBy: 'list returns only the animals with the requested status',
  },
  'applies the limit before the status': {
    create: listing(async ({ status, ...query }, sound) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.filter((pet) => status === undefined || pet.status === status) };
    }),
    caughtBy: 'list combines status, after and limit',
  },
  'treats an animal without a status as available': {
    create: listingFrom((pets, query) => pets.filter((pet) => matches(query, { status: 'available', ...pet }))),
    caughtBy: 'list leaves out an animal without a status if a status is requested',
  },
  'treats an animal without a status as one of any status': {
    create: listingFrom((pets, query) =>
      pets.filter((pet) => matches(query, { status: query.status as PetStatus, ...pet })),
    ),
    caughtBy: 'list leaves out an animal without a status if a status is requested',
  },
  'lists an animal twice': {
    create: listingFrom((pets, query) => pets.filter((pet) => matches(query, pet)).flatMap((pet) => [pet, pet])),
    caughtBy: EXACTLY_ONCE,
  },
  'leaves members out of a list': {
    create: listing(async (query, sound) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.map(({ id, name }) => Object.freeze({ id, name }) as Pet) };
    }),
    caughtBy: 'list returns complete animals',
  },
};
