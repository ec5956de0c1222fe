import { secret, setting } from './setting.js';
import { storageName, text } from './value-types.js';

/** The settings that say where the animals and the keys are kept. */
export const STORAGE_SETTINGS = {
  store: setting(
    'STORE',
    'where the animals and the keys are kept: memory, mongodb, a package, or a file (./…, /…)',
    storageName,
    'memory',
  ),
  mongodbUrl: secret<string | undefined>(
    'MONGODB_URL',
    'the MongoDB deployment and database; needed with the store mongodb',
    text('url'),
    undefined,
  ),
};
