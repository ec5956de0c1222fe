import type { Container } from 'inversify';
import type { MovingPorts } from '../../application/moving/store-record.js';
import { BUILT_IN_PERSISTENT_SETTINGS, BUILT_IN_SETTINGS, PERSISTENT_STORES } from '../modules/built-in-stores.js';
import { storeName } from '../modules/store-name.js';
import { ConfigError } from '../settings/config-error.js';
import type { LoadContext } from '../settings/read-settings.js';
import { defaultsOf, setting, type Values } from '../settings/setting.js';
import type { LoadedStorage } from '../storage.js';
import { TOKENS } from '../tokens.js';

const NAMES = PERSISTENT_STORES.map(({ name }) => name).join(', ');

/** What {@link persistentStoreSettings} returns. */
export type PersistentStoreSettings = ReturnType<typeof persistentStoreSettings>;
export type PersistentStoreValues = Values<PersistentStoreSettings>;

/**
 * The settings of a command on a store that outlives it.
 *
 * @param what The data that the command works on: `the keys`.
 */
export function persistentStoreSettings(what: string) {
  return {
    store: setting(
      'STORE',
      `where ${what} are kept: ${NAMES}, a package, or a file (default mongodb, if MONGODB_URL is set)`,
      storeName,
    ),
    ...BUILT_IN_PERSISTENT_SETTINGS,
  };
}

/**
 * Loads the store of a command, but opens nothing.
 *
 * Rejects with a `ConfigError` if none is named, if it cannot be loaded, or if it loses what it holds when the command ends.
 */
export async function loadPersistentStore(
  values: PersistentStoreValues,
  { env, nameOf }: LoadContext<PersistentStoreSettings>,
  { what, needsRegistry = false }: { readonly what: string; readonly needsRegistry?: boolean },
): Promise<LoadedStorage> {
  const store = values.store ?? (values.mongodbUrl === undefined ? undefined : 'mongodb');
  if (store === undefined) throw new ConfigError([`--store, STORE or MONGODB_URL must say where ${what} are kept`]);
  const { createLog } = await import('../log/log.js');
  const { loadStorage } = await import('../storage.js');
  const context = { env, log: await createLog({ logLevel: 'warn' }) };
  const name = nameOf('store');
  const storage = await loadStorage({ ...defaultsOf(BUILT_IN_SETTINGS), ...values, store }, context, {
    name,
    needsRegistry,
  });
  if (!storage.losesAnimals) return storage;
  throw new ConfigError([`${name} must be a store that outlives the command: ${storage.name} does not`]);
}

/** Uses a store, and closes it. */
export async function withStorage(
  { container, abandon }: LoadedStorage,
  use: (container: Container) => Promise<void>,
): Promise<void> {
  try {
    await use(container);
  } catch (error) {
    await abandon(error);
    throw error;
  }
  await container.unbindAllAsync();
}

/** The ports that export and restore the data of a store. */
export async function portsOf(container: Container): Promise<MovingPorts> {
  const catalogue = await container.getAsync(TOKENS.petCatalogue);
  if (!container.isBound(TOKENS.apiKeyRegistry)) return { catalogue };
  return { catalogue, registry: await container.getAsync(TOKENS.apiKeyRegistry) };
}
