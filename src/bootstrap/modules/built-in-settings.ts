import { DEFAULT_DEADLINE_MS } from '../../adapters/mongodb/operation.js';
import { flagOnly, secret, setting, switchFlag, type Values } from '../settings/setting.js';
import { databaseFile, milliseconds, text } from '../settings/value-types.js';

/** The settings of all built-in stores, by their names in the configuration. */
export const BUILT_IN_SETTINGS = {
  mongodbUrl: secret<string | undefined>(
    'MONGODB_URL',
    'the MongoDB deployment and database; required with the store mongodb',
    text('url'),
    undefined,
  ),
  mongodbDeadline: setting(
    'MONGODB_DEADLINE',
    'how long one operation on MongoDB may take: milliseconds, or a time such as 5s',
    milliseconds(1, 2 ** 31 - 1001),
    DEFAULT_DEADLINE_MS,
  ),
  sqliteFile: setting('SQLITE_FILE', 'the file of the store sqlite', databaseFile, 'animal-store.db'),
  animals: flagOnly<string | undefined>(
    'animals',
    'the animals that the store memory begins with: a file of NDJSON or CSV, or an export (default none)',
    text('file'),
    undefined,
  ),
  noMigrate: switchFlag('no-migrate', 'make no indexes in MongoDB; end with an error if one is missing'),
};

/** The values of the settings of all built-in stores. */
export type BuiltInValues = Values<typeof BUILT_IN_SETTINGS>;

const { animals, noMigrate, ...persistentSettings } = BUILT_IN_SETTINGS;

/** The settings that say where data is kept, for every command that uses a store. The others are for `animal-store serve`. */
export const BUILT_IN_PERSISTENT_SETTINGS = persistentSettings;
