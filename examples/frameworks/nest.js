import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createApp } from 'animal-store/koa';

/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/** The module of the application. In TypeScript, write `@Module({ … })` above the class. */
class ShopModule {}
Module({})(ShopModule);

/**
 * A NestJS application with the animals at /shop/v1, past Nest's own routing: guards, pipes and interceptors do not see
 * them.
 *
 * @param {HttpInterfaceOptions} options
 */
export async function createShop(options) {
  const app = await NestFactory.create(ShopModule, { logger: ['warn', 'error'] });
  app.use('/shop', createApp(options).callback()); // before Nest's body parser, which `init` and `listen` add
  return app;
}
