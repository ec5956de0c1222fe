import type { Container, ContainerModule } from 'inversify';
import { createContainer } from './container.js';
import { BUILT_IN_STORES, type BuiltInValues, type StorageContext } from './modules/built-in-stores.js';
import { CustomStoreError, inTermsOfStore, loadCustomStore } from './modules/custom-store.js';
import { ConfigError } from './settings/config-error.js';
import { TOKENS } from './tokens.js';

/** The store to use, and the settings of the built-in stores. */
export interface StorageConfig extends BuiltInValues {
  /** The name of a built-in store or of a package, the path of a file, or a module. */
  readonly store: string | ContainerModule;
}

/** A container with the module of a store. It has not created or connected anything yet. */
export interface LoadedStorage {
  /** The name of the store in the configuration; `module` if it is a module without a name. */
  readonly name: string;
  /** Whether the animals are lost when the process ends. */
  readonly ephemeral: boolean;
  readonly container: Container;
  /**
   * Closes everything that the container has opened, after an error. Logs parts that cannot be closed. If the error came from a
   * part that could not be created, the others may still be closing when this resolves.
   */
  abandon(error: unknown): Promise<void>;
}

/**
 * Loads the module of the store that a configuration names.
 *
 * Rejects with a `ConfigError` if the module cannot be loaded, or lacks a required binding.
 *
 * @param options `name`: the name that errors use for the setting of the store, its flag or its variable. `needsRegistry`:
 * whether a registry of API keys must be bound.
 */
export async function loadStorage(
  config: StorageConfig,
  context: StorageContext,
  { name = 'store', needsRegistry = false } = {},
): Promise<LoadedStorage> {
  const { store } = config;
  const builtIn = BUILT_IN_STORES.find((each) => each.name === store);
  const subject = typeof store === 'string' ? `${name} ${store}` : name;
  const errors: string[] = [];
  const container = await createContainer();
  try {
    for (const each of BUILT_IN_STORES) errors.push(...((await each.check?.(config, each === builtIn)) ?? []));
    const module = await (typeof store !== 'string'
      ? store
      : (builtIn?.module(config, context) ?? loadCustomStore(store, context)));
    await inTermsOfStore('cannot be loaded into a container', async () => container.loadAsync(module));
    errors.push(...bindingErrors(container, needsRegistry).map((error) => `${subject} ${error}`));
  } catch (error) {
    if (error instanceof ConfigError) errors.push(...error.errors);
    else if (error instanceof CustomStoreError) errors.push(`${subject} ${error.message}`);
    else throw error;
  }
  if (errors.length > 0) throw new ConfigError(errors);

  return {
    name: typeof store === 'string' ? store : 'module',
    ephemeral: builtIn?.ephemeral ?? false,
    container,
    async abandon(error) {
      try {
        await container.unbindAllAsync();
      } catch (err) {
        // A part that could not be created rejects with the error that is known already.
        if (err !== error) context.log.error({ err }, 'the store could not be closed');
      }
    },
  };
}

function bindingErrors(container: Container, needsRegistry: boolean): string[] {
  const errors: string[] = [];
  if (!container.isBound(TOKENS.petCatalogue)) errors.push('does not bind TOKENS.petCatalogue');
  if (needsRegistry && !container.isBound(TOKENS.apiKeyRegistry)) {
    errors.push('does not bind TOKENS.apiKeyRegistry, so there are no keys to manage');
  }
  if (container.isBound(TOKENS.apiKeyRegistry) && !container.isBound(TOKENS.apiKeys)) {
    errors.push('binds TOKENS.apiKeyRegistry without TOKENS.apiKeys, so no key that it issues would work');
  }
  return errors;
}
