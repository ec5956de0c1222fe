import { isAnimalStoreError, parseNewPet, petToJson } from 'animal-store';
import express from 'express';
import { animalAt, statusOf } from './animals.js';

/** @import { AnimalStore } from 'animal-store' */
/** @import { ErrorRequestHandler } from 'express' */

/**
 * An Express application with its own routes on an animal store.
 *
 * @param {AnimalStore} store
 */
export function createAnimals(store) {
  const app = express();
  app.get('/animals', async (_request, response) => {
    const { pets } = await store.listPets();
    response.json(pets.map(petToJson));
  });
  app.get('/animals/:id', async (request, response) => {
    response.json(petToJson(await animalAt(store, request.params.id)));
  });
  app.post('/animals', express.json(), async (request, response) => {
    response.status(201).json(petToJson(await store.createPet(parseNewPet(request.body))));
  });
  app.use(answerError);
  return app;
}

/** @type {ErrorRequestHandler} */
const answerError = (error, _request, response, next) => {
  if (!isAnimalStoreError(error)) return next(error);
  const { code, message, faults } = error;
  response.status(statusOf(error)).json({ code, message, faults });
};
