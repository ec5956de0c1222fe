import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import type { RemotePetCatalogueOptions } from '../../../src/adapters/remote/remote-options.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { PATIENT } from '../../support/patience.js';

/** The key that the services of these tests accept. */
export const KEY = 'the-key-of-the-remote-store';

/** Serves a catalogue until the test ends. Resolves to its port. */
export async function serveCatalogue(
  catalogue: PetCatalogue,
  options: Partial<HttpInterfaceOptions> = {},
): Promise<number> {
  const store = createAnimalStore({ catalogue });
  const app = createApp({ ...options, store, apiKeys: new InMemoryApiKeys([{ name: 'tests', key: KEY }]) });
  return listenOnFreePort(createHttpServer(app.callback()));
}

/** The base address of a service on a port. */
export function urlOf(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** A remote catalogue on a service of this one, which ends with the test. */
export async function remoteOf(
  catalogue: PetCatalogue,
  options?: Partial<RemotePetCatalogueOptions>,
): Promise<RemotePetCatalogue> {
  const url = urlOf(await serveCatalogue(catalogue));
  return new RemotePetCatalogue({ ...PATIENT, url, apiKey: KEY, ...options });
}
