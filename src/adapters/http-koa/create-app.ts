import Router from '@koa/router';
import type Koa from 'koa';
import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys.js';
import { answering, AnsweringApp } from './answer.js';
import { authenticated } from './authenticate.js';
import { isBasePath, isUnder } from './base-path.js';
import { createPet } from './create-pet.js';
import { announceDeprecation, getPet } from './get-pet.js';
import { livez, readyz } from './health.js';
import { listPets } from './list-pets.js';
import { consoleLog, type Log } from './log.js';
import { openApiJson, type ApiServer } from './openapi.js';
import { referenceFiles } from './reference.js';
import { inOriginForm, routeIndex, type State } from './request.js';
import { refuseTarget, unrouted } from './unrouted.js';

/** The Koa application of an animal store. */
export type App = Koa<State>;

/** What {@link createApp} needs. */
export interface AppOptions {
  /** The animal store that the application serves. */
  readonly store: AnimalStore;
  /** The API keys that it accepts. */
  readonly apiKeys: ApiKeys;
  /**
   * The path that every operation is under: segments of `A-Za-z0-9._~-`, the last one `v1`.
   * @default '/v1'
   */
  readonly basePath?: string;
  /**
   * The greatest size of a request's body, in bytes: an integer from 1 to 2^28.
   * @default 65536
   */
  readonly bodyLimit?: number;
  /**
   * Whether the service is ready for requests, which `/readyz` tells.
   * @default always
   */
  readonly isReady?: () => boolean | Promise<boolean>;
  /**
   * The addresses that the OpenAPI document lists. Asked for by the first request: a server that takes a free port knows
   * its own address only when it listens.
   * @default the base path, relative to the document
   */
  readonly servers?: () => readonly ApiServer[];
  /** @default warnings and errors on the standard error stream */
  readonly log?: Log;
}

/**
 * Makes the Koa application that serves an animal store over HTTP: to listen with, or to mount in another one.
 *
 * @throws TypeError for a base path or a body limit that cannot be.
 * @example
 * createApp({ store, apiKeys }).listen(3000, '127.0.0.1');
 */
export function createApp({
  store,
  apiKeys,
  basePath = '/v1',
  bodyLimit = 65_536,
  isReady = () => true,
  servers = () => [{ url: basePath.slice(1), description: 'This service' }],
  log = consoleLog,
}: AppOptions): App {
  if (!isBasePath(basePath)) throw new TypeError('basePath must be segments of A-Za-z0-9._~-, the last one v1');
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 1 || bodyLimit > 2 ** 28)
    throw new TypeError('bodyLimit must be an integer from 1 to 268435456');

  const petsPath = `${basePath}/pets`;
  const router = new Router<State>({ sensitive: true, strict: true });
  router.get(petsPath, answering(log, authenticated(apiKeys, listPets(store, petsPath))));
  router.post(petsPath, answering(log, authenticated(apiKeys, createPet(store, petsPath, bodyLimit))));
  router.get(
    `${petsPath}/:petId`,
    answering(log, authenticated(apiKeys, getPet(store)), announceDeprecation(petsPath)),
  );
  router.get('/livez', answering(log, livez));
  router.get('/readyz', answering(log, readyz(isReady)));
  router.get('/openapi.json', answering(log, openApiJson(servers)));
  for (const [path, file] of Object.entries(referenceFiles(servers))) router.get(path, answering(log, file));

  const otherwise = answering(log, unrouted(router));
  const otherwiseBelow = answering(log, authenticated(apiKeys, unrouted(router)));

  const app = new AnsweringApp();
  app.on('error', (err: Error) => log.error({ err }, 'an answer failed'));
  app.use(inOriginForm(answering(log, refuseTarget)));
  app.use(routeIndex(router));
  app.use(router.routes());
  app.use(async (ctx, next) => {
    await (isUnder(basePath, ctx.path) ? otherwiseBelow : otherwise)(ctx, next);
  });
  return app;
}
