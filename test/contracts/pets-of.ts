import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';

/** Every animal of a catalogue, page by page. */
export async function petsOf(catalogue: PetCatalogue): Promise<readonly Pet[]> {
  const pets: Pet[] = [];
  let after: bigint | undefined = 0n;
  while (after !== undefined) {
    const page: Awaited<ReturnType<PetCatalogue['list']>> = await catalogue.list({ limit: 100, after });
    pets.push(...page.pets);
    after = page.next;
  }
  return pets;
}
