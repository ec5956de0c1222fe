import type { Container, ContainerModule } from 'inversify';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Log } from '../../adapters/http/pipeline/log.js';
import { ConfigError } from '../settings/config-error.js';
import { createContainer } from '../container.js';
import { loadOwnStore } from './own-store.js';
import { importWith } from '../settings/optional-package.js';
import { SERVER_DEFAULTS } from '../settings/settings.js';
import type { StoreAccess } from './store-access.js';
import { TOKENS } from '../tokens.js';

export interface StorageConfig {
  /** The name of a store of this package, the name of a package, the path of a file, or a module. @default 'memory' */
  readonly store?: string | ContainerModule | undefined;
  readonly sqliteFile?: string | undefined;
  readonly mongodbUrl?: string | undefined;
  readonly mongodbDeadline?: number | undefined;
  readonly postgresUrl?: string | undefined;
  readonly postgresDeadline?: number | undefined;
}

type StoreSetting = Exclude<keyof StorageConfig, 'store'>;

const SETTING_NAMES: Readonly<Record<StoreSetting, string>> = {
  sqliteFile: '--sqlite-file (SQLITE_FILE)',
  mongodbUrl: 'MONGODB_URL',
  mongodbDeadline: '--mongodb-deadline (MONGODB_DEADLINE)',
  postgresUrl: 'POSTGRES_URL',
  postgresDeadline: '--postgres-deadline (POSTGRES_DEADLINE)',
};

interface BuiltInStore {
  readonly settings: readonly StoreSetting[];
  readonly note?: (config: StorageConfig) => string;
  /** Makes its module. Loads its parts only now. */
  readonly load: (config: StorageConfig, log: Log, access: StoreAccess) => Promise<ContainerModule>;
}

const STORES: Readonly<Record<string, BuiltInStore>> = {
  memory: {
    settings: [],
    note: () => 'animals are lost when the server ends',
    async load() {
      const { inMemoryModule } = await import('../modules/in-memory-module.js');
      return inMemoryModule();
    },
  },
  sqlite: {
    settings: ['sqliteFile'],
    note: ({ sqliteFile = SERVER_DEFAULTS.sqliteFile }) => resolve(sqliteFile),
    async load({ sqliteFile: file = SERVER_DEFAULTS.sqliteFile }, _log, access) {
      const { sqliteModule } = await import('../modules/sqlite-module.js');
      return sqliteModule({ file, access });
    },
  },
  mongodb: {
    settings: ['mongodbUrl', 'mongodbDeadline'],
    async load({ mongodbUrl: url, mongodbDeadline: deadlineMs }, log, access) {
      if (url === undefined) throw new ConfigError('MONGODB_URL is required with the store mongodb');
      const { errorOfMongodbUrl } = await importWith(
        'mongodb',
        'MONGODB_URL',
        async () => import('../../adapters/mongodb/client.js'),
      );
      const fault = errorOfMongodbUrl(url);
      if (fault !== undefined) throw new ConfigError(`MONGODB_URL is invalid: ${fault}`);
      const { mongodbModule } = await import('../modules/mongodb-module.js');
      return mongodbModule({ url, deadlineMs, log, access });
    },
  },
  postgres: {
    settings: ['postgresUrl', 'postgresDeadline'],
    async load({ postgresUrl: url, postgresDeadline: deadlineMs }, log, access) {
      if (url === undefined) throw new ConfigError('POSTGRES_URL is required with the store postgres');
      const { errorOfPostgresUrl } = await importWith(
        'pg',
        'POSTGRES_URL',
        async () => import('../../adapters/postgres/hosts.js'),
      );
      const fault = errorOfPostgresUrl(url);
      if (fault !== undefined) throw new ConfigError(`POSTGRES_URL is invalid: ${fault}`);
      const { postgresModule } = await import('../modules/postgres-module.js');
      return postgresModule({ url, deadlineMs, log, access });
    },
  },
};

function builtInStore(name: string): BuiltInStore | undefined {
  return Object.hasOwn(STORES, name) ? STORES[name] : undefined;
}

export function describeStore(config: StorageConfig): { readonly store: string; readonly note: string | undefined } {
  const { store = 'memory' } = config;
  if (typeof store !== 'string') return { store: 'module', note: undefined };
  return { store, note: builtInStore(store)?.note?.(config) };
}

/** Connects nothing yet. Rejects with a `ConfigError` if the module cannot be loaded, or lacks a required binding. */
export async function createStorage(
  config: StorageConfig,
  log: Log,
  access: StoreAccess = 'prepare',
): Promise<Container> {
  const { store = 'memory' } = config;
  warnOfUnusedSettings(config, log);
  const container = await createContainer();
  try {
    await container.loadAsync(typeof store === 'string' ? await moduleOf(store, config, log, access) : store);
    refuseMissingBindings(container);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`--store${typeof store === 'string' ? ` ${store}` : ''}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return container;
}

function warnOfUnusedSettings(config: StorageConfig, log: Log): void {
  const { store } = describeStore(config);
  const builtIn = builtInStore(store);
  // A store of another package may read the same variables.
  if (builtIn === undefined) return;
  for (const [setting, name] of Object.entries(SETTING_NAMES) as [StoreSetting, string][]) {
    if (config[setting] !== undefined && !builtIn.settings.includes(setting)) {
      log.warn({}, `${name} is not used, because the store is ${store}: see --store`);
    }
  }
}

async function moduleOf(store: string, config: StorageConfig, log: Log, access: StoreAccess): Promise<ContainerModule> {
  const builtIn = builtInStore(store);
  if (builtIn !== undefined) return builtIn.load(config, log, access);
  return loadOwnStore(store, Object.keys(STORES), { env: process.env, log, access });
}

function refuseMissingBindings(container: Container): void {
  if (!container.isBound(TOKENS.petCatalogue)) throw new Error('it does not bind TOKENS.petCatalogue');
  if (container.isBound(TOKENS.apiKeyRegistry) && !container.isBound(TOKENS.apiKeys)) {
    throw new Error('it binds TOKENS.apiKeyRegistry without TOKENS.apiKeys, so no key that it issues would work');
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && !(error instanceof SyntaxError) ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

export async function closeAfterError(container: Container, log: Logger, error: unknown): Promise<void> {
  try {
    await container.unbindAllAsync();
  } catch (err) {
    // A part that could not be opened rejects with the error that is reported.
    if (err !== error) log.debug({ err }, 'the store could not be closed');
  }
}
