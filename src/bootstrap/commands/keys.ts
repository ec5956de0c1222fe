import { API_KEY_RULES, isApiKeyName, type ApiKey, type IssuedApiKey } from '../../domain/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys.js';
import { flagOnly, setting, switchFlag, type Values } from '../settings/setting.js';
import { storeFaults, STORE_SETTINGS, STORES } from '../settings/store-settings.js';
import { lifetime, oneOf, type ValueType } from '../settings/value-types.js';
import { defineCommand } from './command.js';
import { keysAsJson, keysAsTable, timeText } from './keys-output.js';

const DAY_MS = 86_400_000;

/** Any text: {@link createFaults} checks it. */
const anyText: ValueType<string> = { placeholder: 'name', parse: (text) => text };

/** Where the keys are. A URL alone is enough to tell. */
const STORE_OF_KEYS = {
  ...STORE_SETTINGS,
  store: setting<(typeof STORES)[number] | undefined>(
    'STORE',
    'where the keys are kept (default mongodb, if MONGODB_URL is set)',
    oneOf(STORES),
    undefined,
  ),
};

/** `animal-store keys create`. */
export const createKey = defineCommand({
  name: 'keys create',
  summary: 'make an API key and print it, once',
  settings: {
    name: flagOnly<string | undefined>('name', 'whom the key is for (needed)', anyText, undefined),
    expires: flagOnly<number | undefined>(
      'expires',
      'how long the key works, such as 90d, 12h (default for ever)',
      lifetime,
      undefined,
    ),
    ...STORE_OF_KEYS,
  },
  check: async (values) => [...nameFaults(values.name), ...(await storeOfKeysFaults(values))],
  async run({ values: { mongodbUrl, name = '', expires } }) {
    await withKeys(mongodbUrl, async (registry) => printNew(await registry.create({ name, lifetimeMs: expires })));
  },
});

/** `animal-store keys list`. */
export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'list the API keys',
  settings: { json: switchFlag('json', 'print a JSON array, with times in ISO 8601'), ...STORE_OF_KEYS },
  check: storeOfKeysFaults,
  async run({ values: { mongodbUrl, json } }) {
    await withKeys(mongodbUrl, async (registry) => {
      const keys = await allKeysOf(registry);
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
    overlap: flagOnly('overlap', 'how long the old key goes on working, such as 12h (default 24h)', lifetime, DAY_MS),
    ...STORE_OF_KEYS,
  },
  check: storeOfKeysFaults,
  async run({ values: { mongodbUrl, overlap }, words: [id = ''] }) {
    await withKeys(mongodbUrl, async (registry) => printNew(await registry.rotate(id, { overlapMs: overlap })));
  },
});

/** `animal-store keys revoke`. */
export const revokeKey = defineCommand({
  name: 'keys revoke',
  summary: 'end a key for good',
  words: ['ID'],
  settings: STORE_OF_KEYS,
  check: storeOfKeysFaults,
  async run({ values: { mongodbUrl }, words: [id = ''] }) {
    await withKeys(mongodbUrl, async (registry) => {
      await registry.revoke(id);
      print(`revoked ${id}`);
    });
  },
});

function nameFaults(name: string | undefined): readonly string[] {
  if (name === undefined) return ['--name is needed'];
  return isApiKeyName(name) ? [] : [`--name ${API_KEY_RULES.name}`];
}

/** What is wrong with the store: the keys must outlive the command. */
async function storeOfKeysFaults({ store, mongodbUrl }: Values<typeof STORE_OF_KEYS>): Promise<readonly string[]> {
  if (store === undefined && mongodbUrl === undefined) return ['STORE or MONGODB_URL must say where the keys are kept'];
  const faults = await storeFaults({ store: store ?? 'mongodb', mongodbUrl });
  return store === 'memory' ? ['STORE must be mongodb: keys in memory end with their process', ...faults] : faults;
}

async function withKeys(url: string | undefined, use: (registry: ApiKeyRegistry) => Promise<void>): Promise<void> {
  const { MongoApiKeys } = await import('../../adapters/mongodb/mongo-api-keys.js');
  const { openDatabase } = await import('../mongodb-store.js');
  const { db, close } = await openDatabase(url);
  try {
    const apiKeys = new MongoApiKeys(db);
    await apiKeys.init();
    await use(apiKeys);
  } finally {
    await close();
  }
}

/** Every key of a registry, the oldest first. */
async function allKeysOf(registry: ApiKeyRegistry): Promise<readonly ApiKey[]> {
  const all: ApiKey[] = [];
  let after: string | undefined;
  do {
    const { keys, next } = await registry.list({ limit: 100, ...(after !== undefined && { after }) });
    all.push(...keys);
    after = next;
  } while (after !== undefined);
  return all;
}

function printNew({ id, name, expiresAt, key }: IssuedApiKey): void {
  print(`id       ${id}\nname     ${name}\nexpires  ${timeText(expiresAt)}\nkey      ${key}`);
  print('Keep the key: it is not stored, and cannot be shown again.');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
