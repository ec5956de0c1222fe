import type { Command } from 'commander';
import { addSettings, BASE_URL_SETTINGS, type Values } from '../settings/settings.js';
import { print } from './print.js';

type Addresses = Values<typeof BASE_URL_SETTINGS>;

export function addOpenApi(program: Command): void {
  const command = program
    .command('openapi')
    .summary('print the OpenAPI document')
    .description('Prints the OpenAPI document that the server would serve, as JSON.');
  addSettings(command, BASE_URL_SETTINGS).action(async (addresses: Addresses) =>
    print(`${JSON.stringify(await documentOf(addresses), null, 2)}\n`),
  );
}

/**
 * Asks the HTTP interface for its document, on an empty store and without a server. A relative address has no meaning in a
 * file, so without a configured address, the document names only the path.
 */
async function documentOf(addresses: Addresses): Promise<unknown> {
  const { createFetchHandler } = await import('../../adapters/http/fetch/create-fetch-handler.js');
  const { InMemoryApiKeys } = await import('../../adapters/in-memory/in-memory-api-keys.js');
  const { InMemoryPetCatalogue } = await import('../../adapters/in-memory/in-memory-pet-catalogue.js');
  const { createAnimalStore } = await import('../../application/animal-store.js');
  const { baseUrlsOf } = await import('../settings/urls.js');
  const urls = baseUrlsOf(addresses, (url) => ({ url, description: 'This service' }));
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const handle = createFetchHandler({ store, apiKeys: new InMemoryApiKeys(), ...urls });
  return (await handle(new Request('http://127.0.0.1/openapi.json'))).json();
}
