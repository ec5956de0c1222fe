import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';
import { listQuerySchema, newPetSchema } from './parts/zod-schemas.js';

/** Hono on @hono/node-server, with its validator for Zod. */
export async function start({ count, keys }) {
  const apiKeys = new ApiKeys(keys);
  const catalogue = new Catalogue(Number, count);
  const app = new Hono();

  app.use(async (c, next) => {
    const judgement = apiKeys.judge(c.req.header('Authorization'));
    if (judgement !== 'valid') return c.json(judgement === 'missing' ? NO_KEY : INVALID_KEY, 401);
    return next();
  });

  const listQuery = zValidator('query', listQuerySchema, (result, c) => {
    if (!result.success) return c.json(invalidParameter(result.error.message), 400);
  });
  const newPet = zValidator('json', newPetSchema, (result, c) => {
    if (!result.success) return c.json(invalidBody(result.error.message), 400);
  });
  app.get('/v1/pets', listQuery, (c) => c.json(catalogue.list(c.req.valid('query')).animals));
  app.post('/v1/pets', newPet, (c) => c.json(catalogue.add(c.req.valid('json')), 201));
  app.get('/v1/pets/:petId', (c) => {
    const found = catalogue.find(c.req.param('petId'));
    return found === undefined ? c.json(NO_SUCH_ANIMAL, 404) : c.json(found);
  });
  app.notFound((c) => c.json(NO_SUCH_ROUTE, 404));
  app.onError((error, c) => c.json(invalidBody(error.message), 400));

  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port));
  });
}
