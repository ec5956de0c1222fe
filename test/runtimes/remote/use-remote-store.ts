import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { allPets } from '../../../src/application/all-pets.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.js';

/** Uses every part of the remote catalogue once, with the runtime's `fetch`. Resolves to the results. */
export async function useRemoteStore(url: string, apiKey: string): Promise<Record<string, unknown>> {
  const store = createAnimalStore({ catalogue: new RemotePetCatalogue({ url, apiKey }) });
  const rex = await store.createPet({ name: 'Rex 😀', categoryId: INT64_MAX, status: 'sold' });
  const creations = [];
  for (let i = 0; i < 2; i++) creations.push(await store.createPetOnce({ name: 'Tom', categoryId: INT64_MIN }, 'é'));
  const all: string[] = [];
  for await (const { id, categoryId } of allPets(store, { limit: 1 })) all.push(`${id} ${categoryId}`);

  async function outcomeOf(key: string, id: bigint): Promise<unknown> {
    const other = createAnimalStore({ catalogue: new RemotePetCatalogue({ url, apiKey: key }) });
    return other.getPet(id).then(
      ({ name }) => name,
      (error: unknown) => (error as { readonly code?: unknown }).code,
    );
  }

  return {
    all,
    replayed: creations.map((creation) => creation.replayed),
    found: await outcomeOf(apiKey, rex.id),
    missing: await outcomeOf(apiKey, 99n),
    refused: await outcomeOf('another-key', 1n),
  };
}
