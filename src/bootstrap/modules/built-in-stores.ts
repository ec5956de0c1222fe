import type { BuiltInStore } from './built-in-store.js';
import { memoryStore } from './memory-store.js';
import { mongodbStore } from './mongodb-store.js';
import { sqliteStore } from './sqlite-store.js';

/** The store that is used if none is chosen. */
export const DEFAULT_STORE = memoryStore;

/** Every store of this package. To add one, write its file, add its settings to `built-in-settings.ts`, and add it here. */
export const BUILT_IN_STORES: readonly BuiltInStore[] = [memoryStore, mongodbStore, sqliteStore];

/** The built-in stores that keep API keys. */
export const STORES_WITH_KEYS = BUILT_IN_STORES.filter(({ keepsKeys }) => keepsKeys);
