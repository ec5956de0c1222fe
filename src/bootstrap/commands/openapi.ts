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

/** A relative address has no meaning in a file, so without a configured address, the document names only the path. */
async function documentOf(addresses: Addresses): Promise<object> {
  const { openApiDocument } = await import('../../adapters/http/operations/openapi.js');
  const { DEFAULT_BODY_LIMIT } = await import('../../adapters/http/pipeline/limits.js');
  const { baseUrlsOf } = await import('../settings/urls.js');
  const urls = baseUrlsOf(addresses, (url) => ({ url, description: 'This service' }));
  return openApiDocument({ ...urls, bodyLimit: DEFAULT_BODY_LIMIT });
}
