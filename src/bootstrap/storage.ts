import type { Container, ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { Log } from '../adapters/http/pipeline/log.js';
import { ConfigError } from './config-error.js';
import { createContainer } from './container.js';
import { loadOwnStore } from './modules/own-store.js';
import { importWith } from './optional-package.js';
import type { StoreAccess } from './store-access.js';
import { TOKENS } from './tokens.js';

/** The store to use, and the settings of the stores of this package. */
export interface StorageConfig {
  /** The name of a store of this package, the name of a package, the path of a file, or a module. */
  readonly store: string | ContainerModule;
  readonly mongodbUrl?: string | undefined;
  readonly mongodbDeadline: number;
  readonly sqliteFile: string;
}

/**
 * Creates a container with the module of a store, which is not connected yet: `getAsync` connects what it resolves.
 *
 * Rejects with a `ConfigError` if the module cannot be loaded, or lacks a required binding.
 */
export async function createStorage(
  config: StorageConfig,
  log: Log,
  access: StoreAccess = 'prepare',
): Promise<Container> {
  const { store } = config;
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

/** Each store loads its parts only when it is chosen. */
async function moduleOf(
  store: string,
  { mongodbUrl, mongodbDeadline, sqliteFile }: StorageConfig,
  log: Log,
  access: StoreAccess,
): Promise<ContainerModule> {
  switch (store) {
    case 'memory': {
      const { inMemoryModule } = await import('./modules/in-memory-module.js');
      return inMemoryModule();
    }
    case 'sqlite': {
      const { sqliteModule } = await import('./modules/sqlite-module.js');
      return sqliteModule({ file: sqliteFile, access });
    }
    case 'mongodb': {
      if (mongodbUrl === undefined) throw new ConfigError('MONGODB_URL is required with the store mongodb');
      const { errorOfMongodbUrl } = await importWith(
        'mongodb',
        'MONGODB_URL',
        async () => import('../adapters/mongodb/client.js'),
      );
      const fault = errorOfMongodbUrl(mongodbUrl);
      if (fault !== undefined) throw new ConfigError(`MONGODB_URL is invalid: ${fault}`);
      const { mongodbModule } = await import('./modules/mongodb-module.js');
      return mongodbModule({ url: mongodbUrl, deadlineMs: mongodbDeadline, log, access });
    }
    default:
      return loadOwnStore(store, { env: process.env, log });
  }
}

function refuseMissingBindings(container: Container): void {
  if (!container.isBound(TOKENS.petCatalogue)) throw new Error('it does not bind TOKENS.petCatalogue');
  if (container.isBound(TOKENS.apiKeyRegistry) && !container.isBound(TOKENS.apiKeys)) {
    throw new Error('it binds TOKENS.apiKeyRegistry without TOKENS.apiKeys, so no key that it issues would work');
  }
}

/** The first line of an error's message. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && !(error instanceof SyntaxError) ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

/** Closes what a container has opened, after an error that is reported. */
export async function closeAfterError(container: Container, log: Logger, error: unknown): Promise<void> {
  try {
    await container.unbindAllAsync();
  } catch (err) {
    // A part that could not be opened rejects with the error that is reported.
    if (err !== error) log.debug({ err }, 'the store could not be closed');
  }
}
