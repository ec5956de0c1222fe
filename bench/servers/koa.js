import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';
import { listQuerySchema, newPetSchema } from './parts/zod-schemas.js';

/** Koa as people write it: @koa/router, koa-bodyparser for every request, Zod, and `ctx.body`. */
export async function start({ count, keys }) {
  const apiKeys = new ApiKeys(keys);
  const catalogue = new Catalogue(Number, count);
  const app = new Koa();
  const router = new Router({ prefix: '/v1' });

  app.use(async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) answer(ctx, NO_SUCH_ROUTE);
    } catch (error) {
      if (error.status !== 400) throw error;
      answer(ctx, invalidBody(error.message));
    }
  });
  app.use(async (ctx, next) => {
    const judgement = apiKeys.judge(ctx.get('Authorization'));
    if (judgement === 'valid') await next();
    else answer(ctx, judgement === 'missing' ? NO_KEY : INVALID_KEY);
  });
  app.use(bodyParser({ enableTypes: ['json'] }));

  router.get('/pets', async (ctx) => {
    const query = listQuerySchema.safeParse(ctx.query);
    if (query.success) ctx.body = catalogue.list(query.data).animals;
    else answer(ctx, invalidParameter(query.error.message));
  });
  router.post('/pets', async (ctx) => {
    const body = newPetSchema.safeParse(ctx.request.body);
    if (!body.success) return answer(ctx, invalidBody(body.error.message));
    ctx.status = 201;
    ctx.body = catalogue.add(body.data);
  });
  router.get('/pets/:petId', async (ctx) => {
    const found = catalogue.find(ctx.params.petId);
    if (found === undefined) answer(ctx, NO_SUCH_ANIMAL);
    else ctx.body = found;
  });
  app.use(router.routes()).use(router.allowedMethods());

  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

function answer(ctx, error) {
  ctx.status = error.status;
  ctx.body = error;
}
