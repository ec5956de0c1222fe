import type { ApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';

/** How many records are read together. */
const PAGE_SIZE = 100;

/** The use case `list` of a registry. */
export function listKeysOf(registry: ApiKeyRegistry): () => AsyncGenerator<ApiKey, void, undefined> {
  return async function* () {
    let after: string | undefined;
    do {
      const { keys, next } = await registry.list({ limit: PAGE_SIZE, ...(after !== undefined && { after }) });
      for (const { sha256: _sha256, ...apiKey } of keys) yield apiKey;
      after = next;
    } while (after !== undefined);
  };
}
