import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';

/** A catalogue that breaks one sentence of the port, and a check of the suite that must notice. */
export interface BrokenCatalogue {
  readonly create: () => PetCatalogue;
  readonly caughtBy: string;
}

/** Makes catalogues that are sound except for the given methods. */
export function vary(methods: (sound: PetCatalogue) => Partial<PetCatalogue>): () => PetCatalogue {
  return () => {
    const sound = new InMemoryPetCatalogue();
    return {
      add: async (newPet) => sound.add(newPet),
      list: async (query) => sound.list(query),
      find: async (id) => sound.find(id),
      ...methods(sound),
    };
  };
}

/** Makes catalogues that store something other than the given animal. */
export function storing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return vary((sound) => ({ add: async (newPet) => sound.add(change(newPet)) }));
}

/** Makes catalogues that return something other than the stored animal. */
export function returning(change: (pet: Pet) => Pet): () => PetCatalogue {
  return vary((sound) => ({
    add: async (newPet) => change(await sound.add(newPet)),
    list: async (query) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.map(change) };
    },
    find: async (id) => {
      const pet = await sound.find(id);
      return pet && change(pet);
    },
  }));
}

/** Every animal of a catalogue. */
export async function allPetsOf(catalogue: PetCatalogue): Promise<Pet[]> {
  const pets: Pet[] = [];
  let after: bigint | undefined = 0n;
  while (after !== undefined) {
    const page = await catalogue.list({ limit: 100, after });
    pets.push(...page.pets);
    after = page.next;
  }
  return pets;
}
