import { DEFAULT_DEADLINE_MS } from '../../adapters/mongodb/deadline.js';
import { secret, setting } from './setting.js';
import { milliseconds, storageName, text } from './value-types.js';

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
  mongodbDeadline: setting(
    'MONGODB_DEADLINE',
    'how long one operation on MongoDB may take: milliseconds, or a time such as 5s',
    milliseconds(1, 2 ** 31 - 1001),
    DEFAULT_DEADLINE_MS,
  ),
};
