import type { Container } from 'inversify';
import { randomBytes } from 'node:crypto';
import type { ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { stateOfApiKey } from '../domain/api-keys/api-key.js';
import { makeApiKeyText } from '../domain/api-keys/api-key-text.js';
import { allKeysOf } from './registered-keys.js';
import { ConfigError } from './settings/config-error.js';
import { TOKENS } from './tokens.js';

/**
 * The keys that the server accepts in addition to those that the store or a module binds: the configured ones. If there are
 * none of either kind, makes one for this run.
 */
export function serverKeys(
  container: Container,
  configured: readonly ApiKeyEntry[],
): { readonly moreKeys: readonly ApiKeyEntry[]; readonly apiKey?: string } {
  if (configured.length > 0 || container.isBound(TOKENS.apiKeys)) return { moreKeys: configured };
  const apiKey = makeApiKeyText(randomBytes(32));
  return { moreKeys: [{ name: 'this-run', key: apiKey }], apiKey };
}

/** Rejects with a `ConfigError` if the store has a registry of keys, and none of them is active. */
export async function requireActiveKey(container: Container): Promise<void> {
  const registry = await container.getAsync(TOKENS.apiKeyRegistry, { optional: true });
  if (registry === undefined) return;
  for await (const key of allKeysOf(registry)) if (stateOfApiKey(key, new Date()) === 'active') return;
  throw new ConfigError([
    'API_KEYS must hold a key, because the store has no active one; or make one with animal-store keys create',
  ]);
}
