import type { ApiKey, IssuedApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { ConfigError } from '../settings/config-error.js';
import { allKeysOf } from '../registered-keys.js';
import type { LoadContext } from '../settings/read-settings.js';
import { flagOnly, setting, switchFlag, type Values } from '../settings/setting.js';
import { STORAGE_SETTINGS } from '../settings/storage-settings.js';
import { apiKeyName, lifetime, overlap, storageName } from '../settings/value-types.js';
import type { StorageContainer } from '../storage.js';
import { TOKENS } from '../tokens.js';
import { defineCommand } from './command.js';
import { keysAsJson, keysAsTable, timeText } from './keys-output.js';

const DAY_MS = 86_400_000;

/** Where the keys are kept. A URL alone is enough to tell. */
const STORAGE_OF_KEYS = {
  ...STORAGE_SETTINGS,
  store: setting<string | undefined>(
    'STORE',
    'where the keys are kept: mongodb, a package, or a file (default mongodb, if MONGODB_URL is set)',
    storageName,
    undefined,
  ),
};

/** `animal-store keys create`. */
export const createKey = defineCommand({
  name: 'keys create',
  summary: 'make an API key and print it, once',
  settings: {
    name: { ...flagOnly('name', 'whom the key is for (needed)', apiKeyName, ''), needed: true },
    expires: flagOnly<number | undefined>(
      'expires',
      'how long the key works, such as 90d or 12h (default for ever)',
      lifetime,
      undefined,
    ),
    ...STORAGE_OF_KEYS,
  },
  load: storageWithRegistry,
  async run({ values: { name, expires }, loaded }) {
    await withRegistry(loaded, async (registry) => printNew(await registry.create({ name, lifetimeMs: expires })));
  },
});

/** `animal-store keys list`. */
export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'list the API keys',
  settings: { json: switchFlag('json', 'print a JSON array, with times in ISO 8601'), ...STORAGE_OF_KEYS },
  load: storageWithRegistry,
  async run({ values: { json }, loaded }) {
    await withRegistry(loaded, async (registry) => {
      const keys: ApiKey[] = [];
      for await (const key of allKeysOf(registry)) keys.push(key);
      print(json ? keysAsJson(keys, new Date()) : keysAsTable(keys, new Date()));
    });
  },
});

/** `animal-store keys rotate`. */
export const rotateKey = defineCommand({
  name: 'keys rotate',
  summary: 'make a key in place of another, which goes on working for an overlap',
  words: ['ID'],
  settings: {
    overlap: flagOnly(
      'overlap',
      'how long the old key goes on working, such as 12h or 0s (default 24h)',
      overlap,
      DAY_MS,
    ),
    ...STORAGE_OF_KEYS,
  },
  load: storageWithRegistry,
  async run({ values: { overlap }, words: [id = ''], loaded }) {
    await withRegistry(loaded, async (registry) => printNew(await registry.rotate(id, { overlapMs: overlap })));
  },
});

/** `animal-store keys revoke`. */
export const revokeKey = defineCommand({
  name: 'keys revoke',
  summary: 'end a key for good',
  words: ['ID'],
  settings: STORAGE_OF_KEYS,
  load: storageWithRegistry,
  async run({ words: [id = ''], loaded }) {
    await withRegistry(loaded, async (registry) => {
      await registry.revoke(id);
      print(`revoked ${id}`);
    });
  },
});

/** Loads the storage of the keys, which must bind a registry that outlives the command. */
async function storageWithRegistry(
  { store, mongodbUrl, mongodbDeadline }: Values<typeof STORAGE_OF_KEYS>,
  { env, nameOf }: LoadContext<typeof STORAGE_OF_KEYS>,
): Promise<StorageContainer> {
  if (store === undefined && mongodbUrl === undefined)
    throw new ConfigError(['STORE or MONGODB_URL must say where the keys are kept']);
  const { createLog } = await import('../log/log.js');
  const { createStorageContainer } = await import('../storage.js');
  const context = { env, log: await createLog({ logLevel: 'warn' }) };
  const needs = { name: nameOf('store'), needsRegistry: true };
  return createStorageContainer({ store: store ?? 'mongodb', mongodbUrl, mongodbDeadline }, context, needs);
}

async function withRegistry(
  { container, abandon }: StorageContainer,
  use: (registry: ApiKeyRegistry) => Promise<void>,
): Promise<void> {
  try {
    await use(await container.getAsync(TOKENS.apiKeyRegistry));
  } catch (error) {
    await abandon(error);
    throw error;
  }
  await container.unbindAllAsync();
}

function printNew({ id, name, expiresAt, key }: IssuedApiKey): void {
  print(`id       ${id}\nname     ${name}\nexpires  ${timeText(expiresAt)}\nkey      ${key}`);
  print('Keep the key: it is not stored, and cannot be shown again.');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
