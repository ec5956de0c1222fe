import { createAnimalStore } from 'animal-store';
import { JsonFilePetCatalogue } from './json-file-pet-catalogue.js';

const store = createAnimalStore({ catalogue: new JsonFilePetCatalogue('animals.json') });
const { id } = await store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
console.log(`animals.json holds ${(await store.getPet(id)).name} as number ${id}`);
