import { stateOfApiKey, type ApiKey } from '../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../domain/api-keys/api-keys.js';

/** Every key of a registry, the oldest first. */
export async function* allKeysOf(registry: ApiKeyRegistry): AsyncGenerator<ApiKey> {
  let after: string | undefined;
  do {
    const { keys, next } = await registry.list({ limit: 100, ...(after !== undefined && { after }) });
    yield* keys;
    after = next;
  } while (after !== undefined);
}

/** Whether any key of a registry is active. */
export async function hasActiveKey(registry: ApiKeyRegistry): Promise<boolean> {
  for await (const key of allKeysOf(registry)) if (stateOfApiKey(key, new Date()) === 'active') return true;
  return false;
}
