import type { Container } from 'inversify';
import { randomBytes } from 'node:crypto';
import type { ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { stateOfApiKey } from '../domain/api-keys/api-key.js';
import { makeApiKeyText } from '../domain/api-keys/api-key-format.js';
import { BUILT_IN_SETTINGS, BUILT_IN_STORES } from './modules/built-in-stores.js';
import { ConfigError } from './settings/config-error.js';
import type { StorageConfig } from './storage.js';
import { TOKENS } from './tokens.js';

/**
 * The keys that the server accepts in addition to those that the store or a module binds: the configured keys. If there are no
 * keys of either kind, makes one for this run.
 */
export function serverKeys(
  container: Container,
  configured: readonly ApiKeyEntry[],
): { readonly moreKeys: readonly ApiKeyEntry[]; readonly apiKey?: string } {
  if (configured.length > 0 || container.isBound(TOKENS.apiKeys)) return { moreKeys: configured };
  const apiKey = makeApiKeyText(randomBytes(32));
  return { moreKeys: [{ name: 'this-run', key: apiKey }], apiKey };
}

/**
 * The command that makes a key in the store of a configuration, for a shell; `undefined` if the store is a module. It contains
 * no secrets: those are in the environment.
 */
export function commandToCreateKey({ store, ...values }: Partial<StorageConfig>): string | undefined {
  if (typeof store !== 'string') return undefined;
  const { persistentSettings = [] } = BUILT_IN_STORES.find(({ name }) => name === store) ?? {};
  const given = persistentSettings.flatMap((name) => {
    const { flag, defaultValue } = BUILT_IN_SETTINGS[name];
    const value = values[name];
    return flag === undefined || value === defaultValue ? [] : [`--${flag}`, String(value)];
  });
  return ['animal-store keys create --name me', ...['--store', store, ...given].map(quoted)].join(' ');
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Rejects with a `ConfigError` if the store has a registry of keys without an active key.
 *
 * @param rule Begins the message.
 * @param command The command that makes a key.
 */
export async function requireActiveKey(container: Container, rule: string, command: string | undefined): Promise<void> {
  if (!container.isBound(TOKENS.apiKeyRegistry)) return;
  const manager = await container.getAsync(TOKENS.apiKeyManager);
  for await (const key of manager.list()) if (stateOfApiKey(key, new Date()) === 'active') return;
  const hint = command === undefined ? '' : `; or make one: ${command}`;
  throw new ConfigError([`${rule}, because the store has no active one${hint}`]);
}
