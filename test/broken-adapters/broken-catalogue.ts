import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue, PetRecord } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { breaking } from './breaking.js';

const create = () => new InMemoryPetCatalogue();

/** The functions that break a catalogue with every method. */
export const whole = breaking<InMemoryPetCatalogue, PetCatalogue>(create);

/** Those that break a catalogue without `records` and `restore`, whose checks take long. */
export const { vary, around } = breaking<InMemoryPetCatalogue, PetCatalogue>(create, {
  records: undefined,
  restore: undefined,
});

/** Makes catalogues that add something other than the given animal. */
export function storing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return around('add', (add, newPet) => add(change(newPet)));
}

/** Makes catalogues that return something other than the stored animal. */
export function returning(change: (pet: Pet) => object): () => PetCatalogue {
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

/** An animal without one of its members. */
export function without(newPet: NewPet, member: keyof NewPet): NewPet {
  const { [member]: _forgotten, ...others } = newPet;
  return others as NewPet;
}

/** Every animal of a catalogue in memory, which sets no limit. */
export async function allPetsOf(catalogue: PetCatalogue): Promise<Pet[]> {
  return [...(await catalogue.list({ limit: Infinity })).pets];
}

/** The first animal with this name. */
export async function petNamed(catalogue: PetCatalogue, name: string): Promise<Pet | undefined> {
  return (await allPetsOf(catalogue)).find((pet) => pet.name === name);
}

/** Every record of a catalogue. */
export async function recordsOf(catalogue: PetCatalogue, after?: bigint): Promise<PetRecord[]> {
  const records: PetRecord[] = [];
  for await (const record of catalogue.records?.(after) ?? []) records.push(record);
  return records;
}
