import type { Settings, Values } from '../settings/setting.js';
import { memoryStore } from './memory-store.js';
import { mongodbStore } from './mongodb-store.js';
import { sqliteStore } from './sqlite-store.js';

/** Every store of this package. The first is the default. A further one is a file that calls `defineStore`, and a row here. */
export const BUILT_IN_STORES = [memoryStore, mongodbStore, sqliteStore] as const;

/** What belongs to every member of a union at once. */
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type Store = (typeof BUILT_IN_STORES)[number];

/** The settings of all built-in stores. */
export type BuiltInSettings = Intersection<Store['settings']>;

/** The settings of all built-in stores that only `animal-store serve` has. */
export type BuiltInServeSettings = Intersection<Store['serveSettings']>;

/** The values of all settings of the built-in stores. */
export type BuiltInValues = Values<BuiltInSettings> & Partial<Values<BuiltInServeSettings>>;

export const BUILT_IN_SETTINGS = merged(BUILT_IN_STORES.map(({ settings }) => settings)) as BuiltInSettings;

/** The built-in stores that keep API keys. */
export const STORES_WITH_KEYS = BUILT_IN_STORES.filter(({ keepsKeys }) => keepsKeys);

/** The settings of the built-in stores that keep API keys. */
export const SETTINGS_WITH_KEYS: Partial<BuiltInSettings> = merged(STORES_WITH_KEYS.map(({ settings }) => settings));

export const BUILT_IN_SERVE_SETTINGS = merged(
  BUILT_IN_STORES.map(({ serveSettings }) => serveSettings),
) as BuiltInServeSettings;

function merged(all: readonly Settings[]): Settings {
  return Object.assign({}, ...all) as Settings;
}
