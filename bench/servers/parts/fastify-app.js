import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { KEYS } from '../../animals.js';
import { ApiKeys } from './api-keys.js';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ROUTE } from './errors.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const ID = '^(?:0|-?[1-9][0-9]{0,18})$';
const CANONICAL = new RegExp(ID);

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      allOf: [{ pattern: '\\P{White_Space}' }, { pattern: '^[^\\u0000\\p{Cs}]*$' }],
    },
    categoryId: { type: 'integer' },
    status,
  },
};
const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, categoryId: { type: 'integer' }, status },
};
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^(?:[1-9][0-9]?|100)$' },
    status,
    after: { type: 'string', pattern: ID },
  },
};

/** The schemas of each route. */
export const SCHEMAS = {
  list: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } },
  create: { body: newPet, response: { 201: pet } },
  get: { response: { 200: pet } },
};

/** Whether a text is an id as Animal Store writes it. */
export function isId(text) {
  return CANONICAL.test(text);
}

/** Links a page to the one that begins after an id. */
export function linkToNext(reply, { limit, status }, after) {
  const own = `${limit ? `limit=${limit}&` : ''}${status ? `status=${status}&` : ''}`;
  reply.header('Link', `</v1/pets?${own}after=${after}>; rel="next"`);
}

/** Says that a route is deprecated. */
export function deprecate(reply) {
  reply
    .header('Deprecation', '@1795132800')
    .header('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT')
    .header('Link', '</v1/pets>; rel="successor-version"');
}

/**
 * Starts Fastify as its documents have it, schemas and hooks included, with every header field that Animal Store sends.
 *
 * @param {(v1: import('fastify').FastifyInstance) => void} addRoutes
 * @returns {Promise<number>} The port.
 */
export async function startFastify(addRoutes) {
  const apiKeys = new ApiKeys(KEYS);
  const fastify = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    bodyLimit: 65_536,
    genReqId: ({ headers }) => {
      const own = headers['x-request-id'];
      return own !== undefined && REQUEST_ID.test(own) ? own : randomUUID();
    },
  });

  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff').header('X-Request-Id', request.id);
  });
  fastify.setErrorHandler((error, request, reply) => {
    if (error.validationContext === 'querystring') return reply.code(400).send(invalidParameter(error.message));
    if (error.statusCode === 400) return reply.code(400).send(invalidBody(error.message));
    return reply.send(error);
  });

  await fastify.register(
    async (v1) => {
      v1.setNotFoundHandler((request, reply) => reply.code(404).send(NO_SUCH_ROUTE));
      v1.addHook('onRequest', async (request, reply) => {
        reply.header('Cache-Control', 'no-store');
        const judgement = apiKeys.judge(request.headers.authorization);
        if (judgement === 'valid') return;
        const challenge = 'Bearer realm="animal-store"';
        await (judgement === 'missing'
          ? reply.code(401).header('WWW-Authenticate', challenge).send(NO_KEY)
          : reply.code(401).header('WWW-Authenticate', `${challenge}, error="invalid_token"`).send(INVALID_KEY));
      });
      addRoutes(v1);
    },
    { prefix: '/v1' },
  );

  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server.address().port;
}
