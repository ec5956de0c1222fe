import { ContainerModule, type Container, type ServiceIdentifier } from 'inversify';
import { createContainer } from './container.js';
import type { StorageContext } from './modules/built-in-store.js';
import { BUILT_IN_STORES, type BuiltInValues } from './modules/built-in-stores.js';
import { OutsideModuleFault, outsideModule, reasonOf } from './modules/custom-store.js';
import { ConfigError } from './settings/config-error.js';
import { TOKENS } from './tokens.js';

/** Which storage to use, and the settings of the built-in stores. */
export interface StorageConfig extends BuiltInValues {
  /** The name of a built-in store or of a package, the path of a file, or a module. */
  readonly store: string | ContainerModule;
}

/** A container with the animal store on a storage. Nothing is made or connected yet. */
export interface StorageContainer {
  /** What the configuration calls the storage; `module` if it is a module without a name. */
  readonly name: string;
  readonly container: Container;
  /** Loads more modules into the container. Resolves to what they bind. */
  load(modules: readonly ContainerModule[]): Promise<ReadonlySet<ServiceIdentifier>>;
  /**
   * Closes what the storage and the other modules have open, after an error. Unlike `unbindAllAsync`, it waits for all of
   * it, even if a part could not be made. Logs what cannot be closed.
   */
  abandon(error: unknown): Promise<void>;
}

interface StorageNeeds {
  readonly name?: string;
  readonly needsRegistry?: boolean;
}

/**
 * Makes a container with the animal store on the storage that a configuration names.
 *
 * Rejects with a `ConfigError` if the storage cannot be loaded, or does not bind what it has to.
 *
 * @param options `name`: what the faults call the setting that names the storage, its flag or its variable.
 * `needsRegistry`: whether a registry of API keys must be bound.
 */
export async function createStorageContainer(
  config: StorageConfig,
  context: StorageContext,
  { name = 'store', needsRegistry = false }: StorageNeeds = {},
): Promise<StorageContainer> {
  const faults: string[] = [];
  for (const { check } of BUILT_IN_STORES) faults.push(...((await check?.(config)) ?? []));
  const subject = typeof config.store === 'string' ? `${name} ${config.store}` : name;
  const bound = new Set<ServiceIdentifier>();
  const container = await containerOf(config, context, bound).catch((error: unknown) => {
    if (error instanceof ConfigError) throw new ConfigError([...faults, ...error.faults]);
    if (error instanceof OutsideModuleFault) throw new ConfigError([...faults, `${subject} ${error.message}`]);
    throw error;
  });
  faults.push(...bindingFaults(container, needsRegistry).map((fault) => `${subject} ${fault}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    name: typeof config.store === 'string' ? config.store : 'module',
    container,
    async load(modules) {
      const boundByModules = new Set<ServiceIdentifier>();
      await container.loadAsync(...modules.map((module) => noting(module, boundByModules, bound)));
      return boundByModules;
    },
    async abandon(error) {
      const isBound = (identifier: ServiceIdentifier): boolean => container.isBound(identifier);
      const closings = [...bound].filter(isBound).map(async (identifier) => container.unbindAsync(identifier));
      for (const closing of await Promise.allSettled(closings)) {
        // A part that could not be made rejects with the error that is known already.
        if (closing.status === 'fulfilled' || closing.reason === error) continue;
        context.log.error({ err: closing.reason as unknown }, 'the store could not be closed');
      }
    },
  };
}

/** The module that a configuration names. */
async function moduleOf(config: StorageConfig, context: StorageContext): Promise<ContainerModule> {
  const { store } = config;
  if (typeof store !== 'string') return store;
  const builtIn = BUILT_IN_STORES.find(({ name }) => name === store);
  return builtIn === undefined ? outsideModule(store, context) : builtIn.module(config, context);
}

function bindingFaults(container: Container, needsRegistry: boolean): string[] {
  const faults: string[] = [];
  if (!container.isBound(TOKENS.petCatalogue)) faults.push('binds no TOKENS.petCatalogue');
  if (needsRegistry && !container.isBound(TOKENS.apiKeyRegistry)) {
    faults.push('binds no TOKENS.apiKeyRegistry, so there are no keys to manage');
  }
  if (container.isBound(TOKENS.apiKeyRegistry) && !container.isBound(TOKENS.apiKeys)) {
    faults.push('binds TOKENS.apiKeyRegistry without TOKENS.apiKeys, so no key that it issues would work');
  }
  return faults;
}

async function containerOf(
  config: StorageConfig,
  context: StorageContext,
  bound: Set<ServiceIdentifier>,
): Promise<Container> {
  const module = noting(await moduleOf(config, context), bound);
  try {
    return await createContainer(module);
  } catch (error) {
    throw new OutsideModuleFault(`cannot be loaded into a container: ${reasonOf(error)}`, { cause: error });
  }
}

/** The same module, but it notes each identifier that it binds. */
function noting(module: Pick<ContainerModule, 'load'>, ...notes: readonly Set<ServiceIdentifier>[]): ContainerModule {
  return new ContainerModule(async (options) => {
    const note = <T extends ServiceIdentifier>(identifier: T): T => {
      for (const each of notes) each.add(identifier);
      return identifier;
    };
    await module.load({
      ...options,
      bind: (identifier) => options.bind(note(identifier)),
      rebind: (identifier) => options.rebind(note(identifier)),
      rebindAsync: async (identifier) => options.rebindAsync(note(identifier)),
    });
  });
}
