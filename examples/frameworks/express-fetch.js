import express from 'express';
import { getRequestListener } from '@hono/node-server';
import { createFetchHandler } from 'animal-store/fetch';

/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/**
 * An Express application with the animals at /shop/v1, served by the Fetch handler through a listener for Node.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createShop(options) {
  const animals = createFetchHandler({ ...options, mountPath: '/shop' });
  const app = express();
  app.get('/', (_request, response) => void response.type('text').send('Welcome to the shop'));
  app.use('/shop', getRequestListener(animals));
  return app;
}
