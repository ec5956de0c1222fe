import express from 'express';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';
import { listQuerySchema, newPetSchema } from './parts/zod-schemas.js';

/** Express with its own body parser, and Zod for what comes in. */
export async function start({ count, keys }) {
  const apiKeys = new ApiKeys(keys);
  const catalogue = new Catalogue(Number, count);
  const app = express();

  app.use((request, response, next) => {
    const judgement = apiKeys.judge(request.get('Authorization'));
    if (judgement === 'valid') next();
    else response.status(401).json(judgement === 'missing' ? NO_KEY : INVALID_KEY);
  });
  app.use(express.json());

  app.get('/v1/pets', (request, response) => {
    const query = listQuerySchema.safeParse(request.query);
    if (query.success) response.json(catalogue.list(query.data).animals);
    else response.status(400).json(invalidParameter(query.error.message));
  });
  app.post('/v1/pets', (request, response) => {
    const body = newPetSchema.safeParse(request.body);
    if (body.success) response.status(201).json(catalogue.add(body.data));
    else response.status(400).json(invalidBody(body.error.message));
  });
  app.get('/v1/pets/:petId', (request, response) => {
    const found = catalogue.find(request.params.petId);
    if (found === undefined) response.status(404).json(NO_SUCH_ANIMAL);
    else response.json(found);
  });
  app.use((request, response) => {
    response.status(404).json(NO_SUCH_ROUTE);
  });
  // Express knows an error handler by its four parameters.
  app.use((error, request, response, next) => {
    if (error.type === 'entity.parse.failed') response.status(400).json(invalidBody(error.message));
    else next(error);
  });

  return new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', (error) => (error ? reject(error) : resolve(server.address().port)));
  });
}
