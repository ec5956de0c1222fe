import { isAnimalStoreError, parseNewPet, petToJson } from 'animal-store';
import Fastify from 'fastify';
import { animalAt, statusOf } from './animals.js';

/** @import { AnimalStore } from 'animal-store' */

/**
 * A Fastify server with its own routes on an animal store.
 *
 * @param {AnimalStore} store
 */
export function createAnimals(store) {
  const app = Fastify();
  app.get('/animals', async () => {
    const { pets } = await store.listPets();
    return pets.map(petToJson);
  });
  app.get('/animals/:id', async (request) => {
    const { id } = /** @type {{ id: string }} */ (request.params);
    return petToJson(await animalAt(store, id));
  });
  app.post('/animals', async (request, reply) => {
    reply.code(201);
    return petToJson(await store.createPet(parseNewPet(request.body)));
  });
  app.setErrorHandler((error, _request, reply) => {
    if (!isAnimalStoreError(error)) throw error;
    const { code, message, faults } = error;
    return reply.code(statusOf(error)).send({ code, message, faults });
  });
  return app;
}
