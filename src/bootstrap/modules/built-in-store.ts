import type { ContainerModule } from 'inversify';
import type { StorageLog } from '../log/log.js';
import type { BUILT_IN_PERSISTENT_SETTINGS, BuiltInValues } from './built-in-settings.js';

/** The context in which the module of a store is made. */
export interface StorageContext {
  /** The environment variables, from which a custom store reads its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: StorageLog;
}

/**
 * A store of this package. Its settings are in `built-in-settings.ts`.
 *
 * Every command loads the files of all stores, so each imports the parts of its store only when the module is made.
 */
export interface BuiltInStore {
  /** Its name for `--store`. */
  readonly name: string;
  /** The names of its own settings that every command on the store has, such as `animal-store keys`. */
  readonly persistentSettings: readonly (keyof typeof BUILT_IN_PERSISTENT_SETTINGS)[];
  /** Whether the animals are lost when the process ends. @default false */
  readonly losesAnimals?: boolean;
  /** Whether it keeps API keys, for `animal-store keys` to manage. */
  readonly keepsKeys: boolean;
  /** The setting that makes commands such as `animal-store keys` use this store without `--store`. @default none */
  readonly impliedBy?: keyof typeof BUILT_IN_PERSISTENT_SETTINGS;
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
