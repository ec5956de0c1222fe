import type { ApiKey } from '../domain/api-keys/api-key.js';
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
