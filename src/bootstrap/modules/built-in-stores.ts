import type { ContainerModule } from 'inversify';
import { isAbsolute } from 'node:path';
import { DEFAULT_DEADLINE_MS } from '../../adapters/mongodb/operation.js';
import type { StorageLog } from '../log/log.js';
import { importWith } from '../optional-package.js';
import { ConfigError } from '../settings/config-error.js';
import { flagOnly, secret, setting, switchFlag, type Values } from '../settings/setting.js';
import { databaseFile, milliseconds, text, TIMER_MAX_MS } from '../settings/value-types.js';

/** The settings that say where data is kept, for every command that uses a store. */
export const BUILT_IN_PERSISTENT_SETTINGS = {
  mongodbUrl: secret(
    'MONGODB_URL',
    'the MongoDB deployment and database; required with the store mongodb',
    text('url'),
  ),
  mongodbDeadline: setting(
    'MONGODB_DEADLINE',
    'how long one operation on MongoDB may take: milliseconds, or a time such as 5s',
    milliseconds(1, TIMER_MAX_MS - 1000),
    DEFAULT_DEADLINE_MS,
  ),
  sqliteFile: setting('SQLITE_FILE', 'the file of the store sqlite', databaseFile, 'animal-store.db'),
};

/** The settings of all built-in stores, by their names in the configuration. */
export const BUILT_IN_SETTINGS = {
  ...BUILT_IN_PERSISTENT_SETTINGS,
  animals: flagOnly(
    'animals',
    'the animals that the store memory begins with: a file of NDJSON or CSV, or an export (default none)',
    text('file'),
  ),
  noMigrate: switchFlag('no-migrate', 'make no indexes in MongoDB; end with an error if one is missing'),
};

export type BuiltInValues = Values<typeof BUILT_IN_SETTINGS>;

/** The context in which the module of a store is made. */
export interface StorageContext {
  /** The environment variables, from which a custom store reads its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: StorageLog;
}

/**
 * A store of this package.
 *
 * Every command loads this file, so each store imports its parts only when its module is made.
 */
interface BuiltInStore {
  /** Its name for `--store`. */
  readonly name: string;
  /** The names of its own settings that every command on the store has, such as `animal-store keys`. */
  readonly persistentSettings: readonly (keyof typeof BUILT_IN_PERSISTENT_SETTINGS)[];
  /** Whether the animals are lost when the process ends. Any other store also keeps API keys. @default false */
  readonly ephemeral?: boolean;
  /**
   * Finds errors in the values that their types cannot find. Resolves to a line for each, as in `ConfigError`. Called for every
   * built-in store, whichever is chosen. @default finds no errors
   */
  readonly check?: (values: BuiltInValues, isChosen: boolean) => Promise<readonly string[]>;
  /**
   * Makes the module, but opens nothing. Called only if the store is chosen.
   *
   * Rejects with a `ConfigError` if the store cannot be used.
   */
  readonly module: (values: BuiltInValues, context: StorageContext) => Promise<ContainerModule>;
}

const memoryStore: BuiltInStore = {
  name: 'memory',
  persistentSettings: [],
  ephemeral: true,

  async check({ animals }, isChosen) {
    const isIgnored = animals !== undefined && !isChosen;
    return isIgnored ? ['--animals needs the store memory: import the file into another store'] : [];
  },

  async module({ animals }) {
    const { inMemoryModule } = await import('./in-memory-module.js');
    if (animals === undefined) return inMemoryModule();
    const { catalogueOfFile } = await import('../files/catalogue-of-file.js');
    return inMemoryModule(undefined, async () => catalogueOfFile(animals));
  },
};

const mongodbStore: BuiltInStore = {
  name: 'mongodb',
  persistentSettings: ['mongodbUrl', 'mongodbDeadline'],

  check: async ({ mongodbUrl }) => (mongodbUrl === undefined ? [] : errorsOfUrl(mongodbUrl)),

  async module({ mongodbUrl: url, mongodbDeadline: deadlineMs }, { log }) {
    if (url === undefined) throw new ConfigError(['MONGODB_URL is required with the store mongodb']);
    const { mongodbModule } = await import('./mongodb-module.js');
    return mongodbModule({ url, deadlineMs, log });
  },
};

/** The errors of a `MONGODB_URL`, a line for each. Loads the MongoDB driver, which knows what a URL may contain. */
export async function errorsOfUrl(url: string): Promise<readonly string[]> {
  const { errorOfMongodbUrl } = await importWith(
    'mongodb',
    'MONGODB_URL',
    async () => import('../../adapters/mongodb/client.js'),
  );
  const error = errorOfMongodbUrl(url);
  return error === undefined ? [] : [`MONGODB_URL ${error}`];
}

const sqliteStore: BuiltInStore = {
  name: 'sqlite',
  persistentSettings: ['sqliteFile'],

  async module({ sqliteFile: file }, { log }) {
    await requireSqlite();
    const { sqliteModule } = await import('./sqlite-module.js');
    return sqliteModule({ file, log });
  },
};

/** Rejects with a `ConfigError` if this Node has no SQLite. */
export async function requireSqlite(): Promise<void> {
  try {
    await import('../../adapters/sqlite/node-sqlite.js');
  } catch (error) {
    throw new ConfigError([`the store sqlite cannot be used: ${(error as Error).message}`]);
  }
}

/** Every store of this package. To add one, write it above, add its settings to {@link BUILT_IN_SETTINGS}, and add it here. */
export const BUILT_IN_STORES: readonly BuiltInStore[] = [memoryStore, mongodbStore, sqliteStore];

/** The name of an npm package, optionally with the path of an entry point. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[A-Za-z0-9._~-]+)*$/;

/** The names of the built-in stores, for people. */
export const STORE_NAMES = BUILT_IN_STORES.map(({ name }) => name).join(', ');

/** The store of the animals and the keys: the name of a built-in store or of a package, or the path of a file. */
export const storeName = text(
  'store',
  `must be ${STORE_NAMES}, a package's name, or a file's path that begins with ./ or /`,
  (value) => isFilePath(value) || PACKAGE_NAME.test(value),
);

/** Whether a store is named by the path of a file. */
export function isFilePath(value: string): boolean {
  return /^\.{1,2}[\\/]/.test(value) || isAbsolute(value);
}
