import type { ContainerModule } from 'inversify';
import type { StorageLog } from '../log/log.js';
import type { Settings, Values } from '../settings/setting.js';

/** What the module of a store is made with. */
export interface StorageContext {
  /** The environment variables, in which a custom store has its settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: StorageLog;
}

/**
 * A store of this package: a row in the table of `built-in-stores.ts`. Its file is loaded by every command. So it imports what
 * the store consists of only when the module is made.
 */
export interface BuiltInStore<Shared extends Settings, Serving extends Settings> {
  /** What `--store` calls it. */
  readonly name: string;
  /** The settings of its own, by their names in the configuration: for `animal-store serve` and `animal-store keys`. */
  readonly settings: Shared;
  /** The settings of its own that only `animal-store serve` has. */
  readonly serveSettings: Serving;
  /** Whether the animals are lost when the process ends. @default false */
  readonly losesAnimals?: boolean;
  /** Whether it keeps API keys, for `animal-store keys` to manage. */
  readonly keepsKeys: boolean;
  /** The setting that alone tells `animal-store keys` to use this store. @default none */
  readonly impliedBy?: keyof Shared & string;
  /**
   * Finds the errors in the values that their types cannot find. Resolves to a line for each, as in `ConfigError`. It is called
   * whichever store is chosen. @default finds no errors
   */
  readonly check?: (values: Values<Shared>) => Promise<readonly string[]>;
  /**
   * Makes the module, but opens nothing. It is called only if the store is chosen.
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
