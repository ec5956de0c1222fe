import { FORMATS } from '../files/pets-file.js';
import { ConfigError } from '../settings/config-error.js';
import { flagOnly, secret, switchFlag } from '../settings/setting.js';
import { baseUrl, oneOf, text } from '../settings/value-types.js';
import { TOKENS } from '../tokens.js';
import { defineCommand } from './command.js';
import { persistentStoreSettings, loadPersistentStore, withStorage } from './persistent-store.js';

const WHAT = 'the animals';

const SETTINGS = {
  format: flagOnly('format', `${FORMATS.join(' or ')} (default by the extension of the file)`, oneOf(FORMATS)),
  dryRun: switchFlag('dry-run', 'list every invalid line, and store nothing'),
  skipInvalid: switchFlag('skip-invalid', 'store the animals of the other lines if some are invalid'),
  url: flagOnly('url', 'import through the service at this address, in place of a store', baseUrl),
  apiKey: secret('API_KEY', 'the key for the service of --url', text('key')),
  ...persistentStoreSettings(WHAT),
};

export const importCommand = defineCommand({
  name: 'import',
  summary: 'add the animals of a file of NDJSON or CSV; within 24 hours, the same command again adds nothing twice',
  positionals: ['FILE'],
  settings: SETTINGS,
  async load(values, context) {
    if (values.dryRun) return undefined;
    if (values.url === undefined) return loadPersistentStore(values, context, { what: WHAT });
    if (values.apiKey === undefined) throw new ConfigError(['API_KEY is required with --url']);
    return undefined;
  },
  async run({ values, positionals: [path = ''], loaded }) {
    const { runImport } = await import('./run-import.js');
    const { dryRun, url, apiKey = '' } = values;
    if (loaded !== undefined) {
      await withStorage(loaded, async (container) =>
        runImport(path, values, await container.getAsync(TOKENS.petCatalogue)),
      );
    } else if (url !== undefined && !dryRun) {
      const { RemotePetCatalogue } = await import('../../adapters/remote/remote-pet-catalogue.js');
      await runImport(path, values, new RemotePetCatalogue({ url, apiKey }));
    } else await runImport(path, values);
  },
});
