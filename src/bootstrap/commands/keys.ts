import type { ApiKeyManager } from '../../application/api-keys/api-key-manager.js';
import type { ApiKey, IssuedApiKey } from '../../domain/api-keys/api-key.js';
import type { LoadContext } from '../settings/read-settings.js';
import { flagOnly, switchFlag } from '../settings/setting.js';
import { apiKeyName, lifetime, overlap } from '../settings/value-types.js';
import type { LoadedStorage } from '../storage.js';
import { TOKENS } from '../tokens.js';
import { defineCommand } from './command.js';
import {
  persistentStoreSettings,
  loadPersistentStore,
  withStorage,
  type PersistentStoreValues,
} from './persistent-store.js';
import { keysAsJson, keysAsTable, timeText } from './keys-output.js';
import { print } from './print.js';

const DAY_MS = 86_400_000;

/** The settings of the store that keeps the keys. */
const KEY_STORE_SETTINGS = persistentStoreSettings('the keys');

/** `animal-store keys create`. */
export const createKey = defineCommand({
  name: 'keys create',
  summary: 'make an API key and print it once',
  settings: {
    name: { ...flagOnly('name', 'who the key is for', apiKeyName, ''), required: true },
    expires: flagOnly('expires', 'how long the key works, such as 90d or 12h (default: never expires)', lifetime),
    ...KEY_STORE_SETTINGS,
  },
  load: storageWithRegistry,
  async run({ values: { name, expires }, loaded }) {
    await withManager(loaded, async (manager) => printNew(await manager.issue({ name, lifetimeMs: expires })));
  },
});

/** `animal-store keys list`. */
export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'list the API keys',
  settings: { json: switchFlag('json', 'print a JSON array, with times in ISO 8601'), ...KEY_STORE_SETTINGS },
  load: storageWithRegistry,
  async run({ values: { json }, loaded }) {
    await withManager(loaded, async (manager) => {
      const keys: ApiKey[] = [];
      for await (const key of manager.list()) keys.push(key);
      print(json ? keysAsJson(keys, new Date()) : keysAsTable(keys, new Date()));
    });
  },
});

/** `animal-store keys rotate`. */
export const rotateKey = defineCommand({
  name: 'keys rotate',
  summary: 'replace a key; the old one keeps working for an overlap',
  positionals: ['ID'],
  settings: {
    overlap: flagOnly(
      'overlap',
      'how long the old key keeps working, such as 12h or 0s (default 24h)',
      overlap,
      DAY_MS,
    ),
    ...KEY_STORE_SETTINGS,
  },
  load: storageWithRegistry,
  async run({ values: { overlap }, positionals: [id = ''], loaded }) {
    await withManager(loaded, async (manager) => printNew(await manager.rotate(id, { overlapMs: overlap })));
  },
});

/** `animal-store keys revoke`. */
export const revokeKey = defineCommand({
  name: 'keys revoke',
  summary: 'revoke a key permanently',
  positionals: ['ID'],
  settings: KEY_STORE_SETTINGS,
  load: storageWithRegistry,
  async run({ positionals: [id = ''], loaded }) {
    await withManager(loaded, async (manager) => {
      await manager.revoke(id);
      print(`revoked ${id}`);
    });
  },
});

/** Loads the store of the keys, which must bind a registry. */
async function storageWithRegistry(
  values: PersistentStoreValues,
  context: LoadContext<typeof KEY_STORE_SETTINGS>,
): Promise<LoadedStorage> {
  return loadPersistentStore(values, context, { what: 'the keys', needsRegistry: true });
}

async function withManager(loaded: LoadedStorage, use: (manager: ApiKeyManager) => Promise<void>): Promise<void> {
  await withStorage(loaded, async (container) => use(await container.getAsync(TOKENS.apiKeyManager)));
}

function printNew({ id, name, expiresAt, key }: IssuedApiKey): void {
  print(`id       ${id}\nname     ${name}\nexpires  ${timeText(expiresAt)}\nkey      ${key}`);
  print('Keep the key: it is not stored, and cannot be shown again.');
}
