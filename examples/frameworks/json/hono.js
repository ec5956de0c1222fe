import { isAnimalStoreError, parseNewPet, petToJson } from 'animal-store';
import { Hono } from 'hono';
import { animalAt, statusOf } from './animals.js';

/** @import { AnimalStore } from 'animal-store' */

/**
 * A Hono application with its own routes on an animal store.
 *
 * @param {AnimalStore} store
 */
export function createAnimals(store) {
  const app = new Hono();
  app.get('/animals', async (context) => {
    const { pets } = await store.listPets();
    return context.json(pets.map(petToJson));
  });
  app.get('/animals/:id', async (context) => {
    return context.json(petToJson(await animalAt(store, context.req.param('id'))));
  });
  app.post('/animals', async (context) => {
    return context.json(petToJson(await store.createPet(parseNewPet(await context.req.json()))), 201);
  });
  app.onError((error, context) => {
    if (!isAnimalStoreError(error)) throw error;
    const { code, message, faults } = error;
    return context.json({ code, message, faults }, statusOf(error));
  });
  return app;
}
