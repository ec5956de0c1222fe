import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { petsModule } from './nest/pets-module.js';
import { ApiKeys } from './parts/api-keys.js';
import { Catalogue } from './parts/catalogue.js';

/** NestJS on Express: a controller, a guard, and its validation pipe. */
export async function start({ count, keys }) {
  const module = petsModule(new Catalogue(Number, count), new ApiKeys(keys));
  const app = await NestFactory.create(module, new ExpressAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
}
