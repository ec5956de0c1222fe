import { allPets, createAnimalStore, isAnimalStoreError } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';

const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });

const rex = await store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
await store.createPet({ name: 'Tom', categoryId: 9_223_372_036_854_775_807n, status: 'sold' });
await store.createPet({ name: 'Kim', categoryId: 7 });
console.log(`${rex.name} has the id ${rex.id}`);

// Requests a page of two animals only when the loop reaches it.
for await (const { id, name, categoryId, status = 'no status' } of allPets(store, { limit: 2 })) {
  console.log(`${id} ${name}, category ${categoryId}, ${status}`);
}

try {
  await store.createPet({ name: ' ', categoryId: 0.5 });
} catch (error) {
  if (!isAnimalStoreError(error)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
