import { importWith } from '../optional-package.js';
import { SERVE_SETTINGS, type ServerConfig } from '../server-config.js';
import { switchFlag } from '../settings/setting.js';
import { defineCommand } from './command.js';

const { baseUrl, stagingBaseUrl } = SERVE_SETTINGS;

export const openapi = defineCommand({
  name: 'openapi',
  summary: 'print the OpenAPI document that the server would serve',
  settings: { yaml: switchFlag('yaml', 'print it as YAML instead of JSON'), baseUrl, stagingBaseUrl },
  async run({ values }) {
    const document = await documentOf(values);
    if (values.yaml) {
      const { stringify } = await importWith('yaml', '--yaml', async () => import('yaml'));
      // Quotes texts that a YAML 1.1 parser would read as a date, a number or a boolean.
      process.stdout.write(stringify(document, { compat: 'yaml-1.1', lineWidth: 0 }));
    } else console.log(JSON.stringify(document, null, 2));
  },
});

/**
 * Asks the HTTP interface for its document, on an empty store and without a server. A relative address has no meaning in a
 * file, so without a configured address, the document names only the path, which no tool mistakes for a host.
 */
async function documentOf(addresses: Pick<ServerConfig, 'baseUrl' | 'stagingBaseUrl'>): Promise<unknown> {
  const { createFetchHandler } = await import('../../adapters/http/fetch/create-fetch-handler.js');
  const { InMemoryApiKeys } = await import('../../adapters/in-memory/in-memory-api-keys.js');
  const { InMemoryPetCatalogue } = await import('../../adapters/in-memory/in-memory-pet-catalogue.js');
  const { createAnimalStore } = await import('../../application/animal-store.js');
  const { baseUrlsOf } = await import('../base-urls.js');
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const urls = baseUrlsOf(addresses, (url) => ({ url, description: 'This service' }));
  const answer = createFetchHandler({ store, apiKeys: new InMemoryApiKeys(), ...urls });
  return (await answer(new Request('http://127.0.0.1/openapi.json'))).json();
}
