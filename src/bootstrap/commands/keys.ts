import type { ApiKey, IssuedApiKey } from '../../domain/api-keys/api-key.js';
import { flagOnly, switchFlag } from '../settings/setting.js';
import { apiKeyName, lifetime, overlap } from '../settings/value-types.js';
import { TOKENS } from '../tokens.js';
import { keysAsJson, keysAsTable, timeText } from './keys-output.js';
import { defineStoreCommand } from './persistent-store.js';

const DAY_MS = 86_400_000;

/** What the commands have in common: the store must keep keys. */
const ON_KEYS = { what: 'the keys', needsRegistry: true } as const;

export const createKey = defineStoreCommand({
  ...ON_KEYS,
  name: 'keys create',
  summary: 'make an API key and print it once',
  settings: {
    name: { ...flagOnly('name', 'who the key is for', apiKeyName, ''), required: true },
    expires: flagOnly('expires', 'how long the key works, such as 90d or 12h (default: never expires)', lifetime),
  },
  async run(container, { name, expires }) {
    const manager = await container.getAsync(TOKENS.apiKeyManager);
    printNew(await manager.issue({ name, lifetimeMs: expires }));
  },
});

export const listKeys = defineStoreCommand({
  ...ON_KEYS,
  name: 'keys list',
  summary: 'list the API keys',
  settings: { json: switchFlag('json', 'print a JSON array, with times in ISO 8601') },
  async run(container, { json }) {
    const manager = await container.getAsync(TOKENS.apiKeyManager);
    const keys: ApiKey[] = [];
    for await (const key of manager.list()) keys.push(key);
    console.log(json ? keysAsJson(keys, new Date()) : keysAsTable(keys, new Date()));
  },
});

export const rotateKey = defineStoreCommand({
  ...ON_KEYS,
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
  },
  async run(container, { overlap }, id = '') {
    const manager = await container.getAsync(TOKENS.apiKeyManager);
    printNew(await manager.rotate(id, { overlapMs: overlap }));
  },
});

export const revokeKey = defineStoreCommand({
  ...ON_KEYS,
  name: 'keys revoke',
  summary: 'revoke a key permanently',
  positionals: ['ID'],
  settings: {},
  async run(container, _values, id = '') {
    await (await container.getAsync(TOKENS.apiKeyManager)).revoke(id);
    console.log(`revoked ${id}`);
  },
});

function printNew({ id, name, expiresAt, key }: IssuedApiKey): void {
  console.log(`id       ${id}\nname     ${name}\nexpires  ${timeText(expiresAt)}\nkey      ${key}`);
  console.log('Keep the key: it is not stored, and cannot be shown again.');
}
