import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { replayCreation } from '../../src/domain/idempotency-key.js';
import { makePet, type NewPet, type Pet } from '../../src/domain/pet.js';

/** A catalogue that breaks one sentence of the port, and a check of the suite that must notice. */
export interface BrokenCatalogue {
  readonly create: () => PetCatalogue;
  readonly caughtBy: string;
}

/** Makes catalogues that are sound except for the given methods. */
export function vary(methods: (sound: InMemoryPetCatalogue) => Partial<PetCatalogue>): () => PetCatalogue {
  return () => {
    const sound = new InMemoryPetCatalogue();
    return {
      add: async (newPet, options) => sound.add(newPet, options),
      list: async (query, options) => sound.list(query, options),
      find: async (id, options) => sound.find(id, options),
      ...methods(sound),
    };
  };
}

/** Makes catalogues that are sound, and have `addOnce`, except for the given methods. */
export function varyOnce(methods: (sound: InMemoryPetCatalogue) => Partial<PetCatalogue>): () => PetCatalogue {
  return () => {
    const sound = new InMemoryPetCatalogue();
    return {
      add: async (newPet, options) => sound.add(newPet, options),
      addOnce: async (newPet, key, options) => sound.addOnce(newPet, key, options),
      list: async (query, options) => sound.list(query, options),
      find: async (id, options) => sound.find(id, options),
      ...methods(sound),
    };
  };
}

/** Makes catalogues that are sound, and have every method, except for the given ones. */
export function varyMoving(methods: (sound: InMemoryPetCatalogue) => Partial<PetCatalogue>): () => PetCatalogue {
  return () => {
    const sound = new InMemoryPetCatalogue();
    return {
      add: async (newPet, options) => sound.add(newPet, options),
      addOnce: async (newPet, key, options) => sound.addOnce(newPet, key, options),
      list: async (query, options) => sound.list(query, options),
      find: async (id, options) => sound.find(id, options),
      restore: async (pets) => sound.restore(pets),
      listCreations: () => sound.listCreations(),
      restoreCreations: async (creations) => sound.restoreCreations(creations),
      ...methods(sound),
    };
  };
}

/** Makes catalogues that mistake an idempotency key for another one. */
export function taking(change: (once: string) => string): () => PetCatalogue {
  return varyOnce((sound) => ({ addOnce: async (newPet, once) => sound.addOnce(newPet, change(once)) }));
}

/** Makes catalogues that treat animals as the same if they are after `change`. */
export function comparing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return varyOnce((sound) => {
    const pets = new Map<string, Pet>();
    return {
      addOnce: async (newPet, once) => {
        const pet = pets.get(once);
        if (pet !== undefined) return { ...replayCreation(makePet(pet.id, change(pet)), change(newPet)), pet };
        const added = await sound.add(newPet);
        pets.set(once, added);
        return { pet: added, replayed: false };
      },
    };
  });
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
