import { Buffer } from 'node:buffer';
import Fastify from 'fastify';
import { bodyTooLarge, createHttpInterface } from 'animal-store/http';

/** @import { FastifyReply, FastifyRequest } from 'fastify' */
/** @import { HttpHandler, HttpInterfaceOptions } from 'animal-store/http' */

/**
 * A Fastify server with the animals at /shop/v1. Each operation is a route of Fastify's own router, so its hooks and
 * plugins see it.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createShop(options) {
  const { routes, respond } = createHttpInterface(options);
  const app = Fastify();
  app.get('/', async () => 'Welcome to the shop');
  app.register(
    async (animals) => {
      animals.removeAllContentTypeParsers(); // the interface parses bodies itself, digit for digit
      animals.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const route of routes) {
        animals.route({ method: route.method, url: route.path, handler: handlerOf(route.respond) });
      }
      animals.setNotFoundHandler(handlerOf(respond));
    },
    { prefix: '/shop' },
  );
  return app;
}

/** @param {HttpHandler} respond */
function handlerOf(respond) {
  return async (/** @type {FastifyRequest} */ request, /** @type {FastifyReply} */ reply) => {
    const { status, headers, body } = await respond({
      method: request.method,
      target: request.url.replace(/^\/shop\/?/, '/'),
      rawHeaders: request.raw.rawHeaders,
      mountPath: '/shop',
      async readBody(limit) {
        const bytes = /** @type {Uint8Array} */ (request.body ?? new Uint8Array());
        if (bytes.length > limit) throw bodyTooLarge(limit);
        return bytes;
      },
    });
    reply.code(status);
    for (let i = 0; i + 1 < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1]);
    return reply.send(typeof body === 'string' ? body : Buffer.from(body));
  };
}
