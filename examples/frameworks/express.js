import express from 'express';
import { createApp } from 'animal-store/koa';

/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/**
 * An Express application with the animals at /shop/v1.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createShop(options) {
  const app = express();
  app.get('/', (_request, response) => void response.type('text').send('Welcome to the shop'));
  app.use('/shop', createApp(options).callback()); // before a body parser, which would round integers
  return app;
}
