import { Hono } from 'hono';
import { createFetchHandler } from 'animal-store/fetch';

/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/**
 * A Hono application with the animals at /shop/v1.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createShop(options) {
  const animals = createFetchHandler({ ...options, mountPath: '/shop' });
  const app = new Hono();
  app.get('/', (context) => context.text('Welcome to the shop'));
  app.all('/shop/*', (context) => animals(context.req.raw));
  return app;
}
