import { isApiKeyName } from '../domain/api-key.js';
import { STORE_SETTINGS, storeFaults } from './config.js';
import type { Values } from './read-settings.js';
import { duration, flagOnly } from './settings.js';

/** The settings of each `animal-store keys` command. */
export const KEYS_SETTINGS = {
  create: {
    ...STORE_SETTINGS,
    name: flagOnly<string | undefined>('name', 'whom the key is for', (text) => text, undefined),
    expires: flagOnly<number | undefined>(
      'expires',
      'for how long it works, such as 90d; without, for ever',
      duration,
      undefined,
    ),
  },
  list: STORE_SETTINGS,
  rotate: {
    ...STORE_SETTINGS,
    overlap: flagOnly('overlap', 'for how long the old key goes on working; without, 24h', duration, 86_400_000),
  },
  revoke: STORE_SETTINGS,
};

/** What is wrong with the settings of a `keys` command: it needs a store that outlives it. */
export async function keysFaults(values: Values<typeof STORE_SETTINGS>): Promise<readonly string[]> {
  const faults = await storeFaults(values);
  return values.store === 'memory'
    ? ['STORE must be mongodb: keys in memory end with their process', ...faults]
    : faults;
}

/** What is wrong with the settings of `keys create`: a name is needed, and has to be fit for a log. */
export async function createFaults(values: Values<typeof KEYS_SETTINGS.create>): Promise<readonly string[]> {
  const faults = await keysFaults(values);
  if (values.name === undefined) return ['--name is needed', ...faults];
  return isApiKeyName(values.name) ? faults : ['--name must be 1 to 256 printable characters', ...faults];
}
