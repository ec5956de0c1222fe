import Fastify from 'fastify';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL, NO_SUCH_ROUTE } from './parts/errors.js';

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const members = {
  name: { type: 'string', minLength: 1, maxLength: 1024, pattern: '\\S' },
  categoryId: { type: 'integer' },
  status,
};
const newPet = { type: 'object', required: ['name', 'categoryId'], properties: members };
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, ...members },
};
const listQuery = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status, after: { type: 'integer' } },
};

/** Fastify with schemas for what comes in and what goes out, as its guide has it. */
export async function start({ count, keys }) {
  const apiKeys = new ApiKeys(keys);
  const catalogue = new Catalogue(Number, count);
  const fastify = Fastify();

  fastify.setErrorHandler((error, request, reply) => {
    if (error.validationContext === 'querystring') return reply.code(400).send(invalidParameter(error.message));
    if (error.statusCode === 400) return reply.code(400).send(invalidBody(error.message));
    return reply.send(error);
  });
  fastify.setNotFoundHandler((request, reply) => reply.code(404).send(NO_SUCH_ROUTE));
  fastify.addHook('onRequest', async (request, reply) => {
    const judgement = apiKeys.judge(request.headers.authorization);
    if (judgement !== 'valid') await reply.code(401).send(judgement === 'missing' ? NO_KEY : INVALID_KEY);
  });

  fastify.get(
    '/v1/pets',
    { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } } },
    async ({ query }) => catalogue.list(query).animals,
  );
  fastify.post('/v1/pets', { schema: { body: newPet, response: { 201: pet } } }, async ({ body }, reply) => {
    reply.code(201);
    return catalogue.add(body);
  });
  fastify.get('/v1/pets/:petId', { schema: { response: { 200: pet } } }, async ({ params }, reply) => {
    const found = catalogue.find(params.petId);
    return found ?? reply.code(404).send(NO_SUCH_ANIMAL);
  });

  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server.address().port;
}
