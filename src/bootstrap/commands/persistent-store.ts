import type { Container } from 'inversify';
import type { MovingPorts } from '../../application/moving/store-record.js';
import { BUILT_IN_SETTINGS, STORES_WITH_KEYS } from '../modules/built-in-stores.js';
import { storeName } from '../modules/store-settings.js';
import { ConfigError } from '../settings/config-error.js';
import type { LoadContext } from '../settings/read-settings.js';
import { setting, type Setting, type Values } from '../settings/setting.js';
import type { LoadedStorage } from '../storage.js';
import { TOKENS } from '../tokens.js';

/** The built-in stores that a setting of their own implies, such as `MONGODB_URL`. */
const IMPLIED_STORES = STORES_WITH_KEYS.flatMap(({ name, impliedBy }) => {
  if (impliedBy === undefined) return [];
  return [{ name, impliedBy, variable: BUILT_IN_SETTINGS[impliedBy].variable ?? '' }];
});

/** The settings of a command on a store that outlives it. */
export type PersistentStoreSettings = { readonly store: Setting<string | undefined> } & typeof BUILT_IN_SETTINGS;
export type PersistentStoreValues = Values<PersistentStoreSettings>;

/** @param what What the command is about: `the keys`. */
export function persistentStoreSettings(what: string): PersistentStoreSettings {
  return {
    store: setting<string | undefined>(
      'STORE',
      `where ${what} are kept: ${STORES_WITH_KEYS.map(({ name }) => name).join(', ')}, a package, or a file (${IMPLIED_STORES.map(
        ({ name, variable }) => `default ${name}, if ${variable} is set`,
      ).join('; ')})`,
      storeName,
      undefined,
    ),
    ...BUILT_IN_SETTINGS,
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
  const store = values.store ?? IMPLIED_STORES.find(({ impliedBy }) => values[impliedBy] !== undefined)?.name;
  if (store === undefined) {
    const names = ['STORE', ...IMPLIED_STORES.map(({ variable }) => variable)].join(' or ');
    throw new ConfigError([`--store, ${names} must say where ${what} are kept`]);
  }
  const { createLog } = await import('../log/log.js');
  const { loadStorage } = await import('../storage.js');
  const context = { env, log: await createLog({ logLevel: 'warn' }) };
  const name = nameOf('store');
  const storage = await loadStorage({ ...values, store }, context, {
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

/** The ports of a store, by which it is moved. */
export async function portsOf(container: Container): Promise<MovingPorts> {
  const catalogue = await container.getAsync(TOKENS.petCatalogue);
  if (!container.isBound(TOKENS.apiKeyRegistry)) return { catalogue };
  return { catalogue, registry: await container.getAsync(TOKENS.apiKeyRegistry) };
}
