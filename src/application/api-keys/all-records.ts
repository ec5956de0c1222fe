import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';

const PAGE_SIZE = 100;

export async function* allRecordsOf(registry: ApiKeyRegistry): AsyncGenerator<ApiKeyRecord, void, undefined> {
  let after: string | undefined;
  do {
    const { keys, next } = await registry.list({ limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    yield* keys;
    after = next;
  } while (after !== undefined);
}
