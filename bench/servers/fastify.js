/** Fastify with every header field that Animal Store sends, on animals in memory. Prints its port. */
import { Catalogue } from './parts/catalogue.js';
import { NO_SUCH_ANIMAL } from './parts/errors.js';
import { deprecate, isId, linkToNext, SCHEMAS, startFastify } from './parts/fastify-app.js';

const catalogue = new Catalogue(BigInt);
const port = await startFastify((v1) => {
  v1.get('/pets', { schema: SCHEMAS.list }, async ({ query }, reply) => {
    const { limit, status, after } = query;
    const { animals, next } = catalogue.list({ limit: limit && Number(limit), status, after: after && BigInt(after) });
    if (next !== undefined) linkToNext(reply, query, next);
    return animals;
  });

  v1.post('/pets', { schema: SCHEMAS.create }, async ({ body }, reply) => {
    const added = catalogue.add(body);
    reply.code(201).header('Location', `/v1/pets/${added.id}`);
    return added;
  });

  v1.get('/pets/:petId', { schema: SCHEMAS.get }, async ({ params }, reply) => {
    deprecate(reply);
    const found = isId(params.petId) ? catalogue.find(params.petId) : undefined;
    if (found !== undefined) return found;
    return reply.code(404).send(NO_SUCH_ANIMAL);
  });
});
console.log(port);
