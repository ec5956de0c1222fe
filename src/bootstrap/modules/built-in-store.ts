import type { ContainerModule } from 'inversify';
import type { StorageLog } from '../log/log.js';
import type { Settings, Values } from '../settings/setting.js';

/** The context in which the module of a store is made. */
export interface StorageContext {
  /** The environment variables, from which a custom store reads its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: StorageLog;
}

/**
 * A store of this package: a row in the table of `built-in-stores.ts`. Every command loads its file. So the file imports the
 * parts of the store only when the module is made.
 */
export interface BuiltInStore<Shared extends Settings, Serving extends Settings> {
  /** Its name for `--store`. */
  readonly name: string;
  /** Its own settings, by their names in the configuration: for `animal-store serve` and `animal-store keys`. */
  readonly settings: Shared;
  /** Its own settings that only `animal-store serve` has. */
  readonly serveSettings: Serving;
  /** Whether the animals are lost when the process ends. @default false */
  readonly losesAnimals?: boolean;
  /** Whether it keeps API keys, for `animal-store keys` to manage. */
  readonly keepsKeys: boolean;
  /** The setting that makes `animal-store keys` use this store without `--store`. @default none */
  readonly impliedBy?: keyof Shared & string;
  /**
   * Finds errors in the values that their types cannot find. Resolves to a line for each, as in `ConfigError`. Called for every
   * built-in store, whichever is chosen. @default finds no errors
   */
  readonly check?: (values: Values<Shared> & Partial<Values<Serving>>, isChosen: boolean) => Promise<readonly string[]>;
  /**
   * Makes the module, but opens nothing. Called only if the store is chosen.
   *
   * Rejects with a `ConfigError` if the store cannot be used.
   */
  readonly module: (
    values: Values<Shared> & Partial<Values<Serving>>,
    context: StorageContext,
  ) => Promise<ContainerModule>;
}

/** Declares a store of this package. */
export function defineStore<Shared extends Settings, Serving extends Settings>(
  store: BuiltInStore<Shared, Serving>,
): BuiltInStore<Shared, Serving> {
  return store;
}
