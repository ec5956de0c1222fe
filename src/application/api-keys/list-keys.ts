import type { ApiKey, ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';

/** The number of records in a page. */
const PAGE_SIZE = 100;

/** Every record of a registry, by ascending id. */
export async function* allRecordsOf(registry: ApiKeyRegistry): AsyncGenerator<ApiKeyRecord, void, undefined> {
  let after: string | undefined;
  do {
    const { keys, next } = await registry.list({ limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    yield* keys;
    after = next;
  } while (after !== undefined);
}

/** The use case `list` of a registry. */
export function makeListKeys(registry: ApiKeyRegistry): () => AsyncGenerator<ApiKey, void, undefined> {
  return async function* () {
    for await (const { sha256: _sha256, ...apiKey } of allRecordsOf(registry)) yield apiKey;
  };
}
