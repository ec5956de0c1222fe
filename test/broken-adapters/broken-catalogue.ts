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

/** An animal without one of its members. */
export function without(newPet: NewPet, member: keyof NewPet): NewPet {
  const { [member]: _forgotten, ...others } = newPet;
  return others as NewPet;
}

/** Every animal of a catalogue in memory, which sets no limit. */
export async function allPetsOf(catalogue: PetCatalogue): Promise<Pet[]> {
  return [...(await catalogue.list({ limit: Infinity })).pets];
}

/** Every record of a catalogue. */
export async function recordsOf(catalogue: PetCatalogue, after?: bigint): Promise<PetRecord[]> {
  const records: PetRecord[] = [];
  for await (const record of catalogue.records?.(after) ?? []) records.push(record);
  return records;
}
