import type { Values } from '../settings/setting.js';
import { memoryStore } from './memory-store.js';
import { mongodbStore } from './mongodb-store.js';
import { sqliteStore } from './sqlite-store.js';

/**
 * Every store of this package. The first is the default. To add a store, write a file that calls `defineStore`, and add a row
 * here.
 */
export const BUILT_IN_STORES = [memoryStore, mongodbStore, sqliteStore] as const;

/** The settings of all built-in stores. */
export const BUILT_IN_SETTINGS = { ...memoryStore.settings, ...mongodbStore.settings, ...sqliteStore.settings };

/** The settings of all built-in stores that only `animal-store serve` has. */
export const BUILT_IN_SERVE_SETTINGS = {
  ...memoryStore.serveSettings,
  ...mongodbStore.serveSettings,
  ...sqliteStore.serveSettings,
};

/** The values of all settings of the built-in stores. */
export type BuiltInValues = Values<typeof BUILT_IN_SETTINGS> & Partial<Values<typeof BUILT_IN_SERVE_SETTINGS>>;

/** The built-in stores that keep API keys. */
export const STORES_WITH_KEYS = BUILT_IN_STORES.filter(({ keepsKeys }) => keepsKeys);
