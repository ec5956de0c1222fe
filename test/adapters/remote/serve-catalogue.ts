import { getRequestListener } from '@hono/node-server';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';
import { createHttpServer, type RequestHandler } from '../../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { petCatalogueChecks } from '../../contracts/pet-catalogue-contract.js';
import { declareSuite } from '../../contracts/test-runner.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { PATIENT } from '../../support/patience.js';

/** The key that the services of these tests accept. */
export const KEY = 'the-key-of-the-remote-store';

/** Every transport, as a request handler for Node. */
export const TRANSPORTS: Readonly<Record<string, (options: HttpInterfaceOptions) => RequestHandler>> = {
  koa: (options) => createApp(options).callback(),
  fetch: (options) => getRequestListener(createFetchHandler(options)),
  node: (options) => createListener(createHttpInterface(options)),
};

/** Serves a catalogue until the test ends. Resolves to its port. */
export async function serveCatalogue(
  catalogue: PetCatalogue,
  transport = 'koa',
  options: Partial<HttpInterfaceOptions> = {},
): Promise<number> {
  const handlerOf = TRANSPORTS[transport];
  if (handlerOf === undefined) throw new Error(`there is no transport ${transport}`);
  const store = createAnimalStore({ catalogue });
  const handler = handlerOf({ ...options, store, apiKeys: new InMemoryApiKeys([{ name: 'tests', key: KEY }]) });
  return listenOnFreePort(createHttpServer(handler));
}

/** The base address of a service on a port. */
export function urlOf(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** A remote catalogue on a service of this one, which ends with the test. */
export async function remoteOf(
  catalogue: PetCatalogue,
  { transport, idempotencyKeys }: { readonly transport?: string; readonly idempotencyKeys?: boolean } = {},
): Promise<RemotePetCatalogue> {
  const url = urlOf(await serveCatalogue(catalogue, transport));
  return new RemotePetCatalogue({ ...PATIENT, url, apiKey: KEY, idempotencyKeys });
}

/** Checks of the contract that send each request of the interface, and get each kind of answer. */
const LOOK = [
  'add resolves to the animal with the id that it was given',
  'add shows each animal as soon as it resolves, while other calls are pending',
  'addOnce stores nothing on a repeat, and resolves to the first animal',
  'addOnce gives the key to one of two concurrent animals, and refuses the other',
  'find resolves to the animal with exactly this id',
  'find resolves to undefined for every id that no animal has',
  'list combines status, after and limit',
  'list gives each animal exactly once over its pages',
  'a call whose signal is aborted rejects with its reason, unless it resolves',
  'an animal whose creation is aborted is stored whole or not at all',
] as const;

/**
 * Declares a few checks of the contract, for services and options beside the one service that all of it runs on: the catalogue sees
 * the same interface, which the tests of `test/http` prove of each transport and each store.
 */
export function verifyAtALook(createCatalogue: () => Promise<PetCatalogue>): void {
  const checks = LOOK.map((sentence) => {
    const check = petCatalogueChecks[sentence];
    if (check === undefined) throw new Error(`the contract has no check "${sentence}"`);
    return [sentence, check] as const;
  });
  declareSuite('a look at the contract of PetCatalogue', Object.fromEntries(checks), createCatalogue, undefined);
}
