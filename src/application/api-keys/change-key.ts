import { apiKeyNotFound, type ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError } from '../../domain/errors.js';

/**
 * The maximum number of attempts while other calls change the same key. An attempt fails only if one of the other calls
 * succeeded.
 */
const ATTEMPTS_MAX = 100;

/**
 * Changes the record of a key. If another call changes it in the meantime, decides again on the record as it is then, so
 * that neither change is lost. Resolves to the decision that came into effect.
 *
 * Rejects with `api_key_not_found` if no key has this id, and with what `decide` throws; then nothing has changed.
 *
 * @param decide Returns `after`, the record to store. If `after` is the record itself, nothing changes.
 */
export async function changeKey<Decision extends { readonly after: ApiKeyRecord }>(
  registry: ApiKeyRegistry,
  id: string,
  decide: (record: ApiKeyRecord) => Decision,
): Promise<Decision> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const record = await registry.find(id);
    if (record === undefined) throw apiKeyNotFound();
    const decision = decide(record);
    if (decision.after === record || (await registry.replace(record, decision.after))) return decision;
  }
  throw new AnimalStoreError('store_unavailable', 'other calls keep changing the API key with this id');
}
