import type { Container } from 'inversify';
import type { MovingPorts } from '../../application/moving/store-record.js';
import {
  BUILT_IN_PERSISTENT_SETTINGS,
  BUILT_IN_SETTINGS,
  BUILT_IN_STORES,
  storeName,
} from '../modules/built-in-stores.js';
import { ConfigError } from '../settings/config-error.js';
import type { LoadContext } from '../settings/read-settings.js';
import { defaultsOf, setting, type Settings, type Values } from '../settings/setting.js';
import type { LoadedStorage } from '../storage.js';
import { TOKENS } from '../tokens.js';
import { defineCommand, type Command } from './command.js';

const NAMES = BUILT_IN_STORES.flatMap(({ name, ephemeral }) => (ephemeral ? [] : [name])).join(', ');

type StoreSettings = ReturnType<typeof persistentStoreSettings>;

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
  values: Values<StoreSettings>,
  { env, nameOf }: LoadContext<StoreSettings>,
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
  if (!storage.ephemeral) return storage;
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

interface StoreCommandDefinition<S extends Settings> {
  readonly name: string;
  readonly summary: string;
  readonly positionals?: readonly string[];
  /** Its settings in addition to those of the store. */
  readonly settings: S;
  /** The data that the command works on: `the keys`. */
  readonly what: string;
  /** Whether the store must bind a registry of API keys. @default false */
  readonly needsRegistry?: boolean;
  readonly run: (container: Container, values: Values<S>, ...positionals: readonly string[]) => Promise<void>;
}

/** Creates a command that loads its store, uses it, and closes it. */
export function defineStoreCommand<S extends Settings>({
  settings,
  what,
  needsRegistry = false,
  run,
  ...rest
}: StoreCommandDefinition<S>): Command {
  return defineCommand({
    ...rest,
    settings: { ...settings, ...persistentStoreSettings(what) },
    load: async (values, context) => loadPersistentStore(values, context, { what, needsRegistry }),
    run: async ({ values, positionals, loaded }) =>
      withStorage(loaded, async (container) => run(container, values, ...positionals)),
  });
}

/** The ports that export and restore the data of a store. */
export async function portsOf(container: Container): Promise<MovingPorts> {
  const catalogue = await container.getAsync(TOKENS.petCatalogue);
  if (!container.isBound(TOKENS.apiKeyRegistry)) return { catalogue };
  return { catalogue, registry: await container.getAsync(TOKENS.apiKeyRegistry) };
}
