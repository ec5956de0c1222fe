import { revokeApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { changeKey } from './change-key.js';

/** The use case `revoke` in a registry. */
export function makeRevokeKey(registry: ApiKeyRegistry, now: () => Date): (id: string) => Promise<void> {
  return async (id) => {
    await changeKey(registry, id, (record) => ({ after: revokeApiKey(record, now()) }));
  };
}
