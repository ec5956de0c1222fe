import { Buffer } from 'node:buffer';
import Fastify from 'fastify';
import { bodyTooLarge, createHttpInterface, parseTarget } from 'animal-store/http';

/** @import { FastifyReply, FastifyRequest } from 'fastify' */
/** @import { HttpHandler, HttpInterfaceOptions } from 'animal-store/http' */

/**
 * A Fastify server with the animals at /shop/v1. Each operation is a route of Fastify's own router, so its hooks and
 * plugins see it.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createShop(options) {
  const { routes, answerUnrouted } = createHttpInterface(options);
  const app = Fastify();
  app.get('/', async () => 'Welcome to the shop');
  app.register(
    async (animals) => {
      animals.removeAllContentTypeParsers(); // the interface parses bodies itself, digit for digit
      animals.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const { method, path, answer } of routes) animals.route({ method, url: path, handler: handlerOf(answer) });
      animals.setNotFoundHandler(handlerOf(answerUnrouted));
    },
    { prefix: '/shop' },
  );
  return app;
}

/** @param {HttpHandler} answer */
function handlerOf(answer) {
  return async (/** @type {FastifyRequest} */ request, /** @type {FastifyReply} */ reply) => {
    const { path = '*', query = '' } = parseTarget(request.url) ?? {};
    const { status, headers, body } = await answer({
      method: request.method,
      path: path.slice('/shop'.length) || '/',
      query,
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
