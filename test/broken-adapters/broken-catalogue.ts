import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { replayCreation } from '../../src/domain/idempotency-key.js';
import { makePet, type NewPet, type Pet } from '../../src/domain/pet.js';

type Methods = (sound: InMemoryPetCatalogue) => Partial<PetCatalogue>;

/** Makes catalogues that are sound, and have no optional method, except for the given methods. */
export function vary(methods: Methods): () => PetCatalogue {
  return () => {
    const sound = new InMemoryPetCatalogue();
    return { ...plain(sound), ...methods(sound) };
  };
}

/** Makes catalogues that are sound, and have `addOnce`, except for the given methods. */
export function varyOnce(methods: Methods): () => PetCatalogue {
  return vary((sound) => ({ addOnce: sound.addOnce.bind(sound), ...methods(sound) }));
}

/** Makes catalogues that are sound, and have the methods that restore and `addOnce`, except for the given methods. */
export function varyMoving(methods: Methods): () => PetCatalogue {
  return varyOnce((sound) => ({
    restore: sound.restore.bind(sound),
    listCreations: sound.listCreations.bind(sound),
    restoreCreations: sound.restoreCreations.bind(sound),
    ...methods(sound),
  }));
}

function plain(sound: InMemoryPetCatalogue): PetCatalogue {
  return { add: sound.add.bind(sound), list: sound.list.bind(sound), find: sound.find.bind(sound) };
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
