import {
  apiKeyNotFound,
  issueApiKey,
  KEY_RANDOM_BYTES,
  revokeApiKey,
  rotateApiKey,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRecord,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError } from '../../domain/errors.js';
import { sha256Of } from '../../domain/sha256.js';
import { allRecordsOf } from './all-records.js';

/** An attempt to change a key fails only if another call has changed the key meanwhile. */
const ATTEMPTS_MAX = 100;

/**
 * The driving port: everything that people do with API keys.
 *
 * Each method rejects with an `AnimalStoreError`: with `store_unavailable` if the registry's database does not answer in time,
 * and with the codes below. Other errors of the registry pass through unchanged. No message repeats an id that a caller passed,
 * because it may be a key passed by mistake.
 */
export interface ApiKeyManager {
  /**
   * Issues a key, and resolves to it once its record is durable. The key is never shown again. If this rejects with
   * `store_unavailable`, the record may be stored, but the key itself is lost.
   *
   * Rejects with `invalid_key_request` if the name or the lifetime breaks its rule. In this case, it has changed nothing.
   */
  issue(request: ApiKeyRequest): Promise<IssuedApiKey>;

  /**
   * Lists every key that was ever issued, including expired and revoked ones, oldest first. Reads more records only as the
   * caller iterates.
   */
  list(): AsyncGenerator<ApiKey, void, undefined>;

  /**
   * Issues a key to replace another, with the same name and lifetime. The old key keeps working for the overlap, but never
   * beyond its own expiry.
   *
   * First sets the old key's expiry, then adds the new key. If the process ends between the two, or this rejects with
   * `store_unavailable`, the new key may be missing: rotate again while the old key is active, or issue a new key. Concurrent
   * rotations and revocations behave as if they ran one after the other: each rotation returns a key of its own if the old key
   * is still active. So without an overlap, only one rotation succeeds.
   *
   * Rejects with `invalid_key_request` if the overlap breaks its rule, with `api_key_not_found` if no key has this id, and with
   * `api_key_not_active` if the key was revoked or has expired. In these cases, it has changed nothing.
   */
  rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey>;

  /**
   * Revokes a key permanently, whether or not it has expired. Revoking it again changes nothing. Keys that replaced it keep
   * working.
   *
   * Rejects with `api_key_not_found` if no key has this id.
   */
  revoke(id: string): Promise<void>;
}

/** The dependencies of an {@link ApiKeyManager}. */
export interface ApiKeyManagerOptions {
  /** Stores the records of the keys. */
  readonly registry: ApiKeyRegistry;
  /** Returns the present time. */
  readonly now: () => Date;
  /** Returns that many bytes from a cryptographically secure random generator, such as `randomBytes` of `node:crypto`. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * Creates the manager of the API keys in a registry: a plain object, whose methods you may destructure, wrap and replace.
 *
 * @example
 * const manager = createApiKeyManager({ registry: new InMemoryApiKeys(), now: () => new Date(), randomBytes });
 * const { key } = await manager.issue({ name: 'front-end' });
 */
export function createApiKeyManager({ registry, now, randomBytes }: ApiKeyManagerOptions): ApiKeyManager {
  const newMaterial = (): ApiKeyMaterial => ({ now: now(), random: randomBytes(KEY_RANDOM_BYTES) });

  async function add(issued: IssuedApiKey): Promise<IssuedApiKey> {
    const { key, ...apiKey } = issued;
    if (await registry.add({ ...apiKey, digest: await sha256Of(key) })) return issued;
    throw new Error('the new API key already exists: the random generator repeated itself');
  }

  /** Decides again if another call changes the record meanwhile. `after` is the record itself if nothing is to change. */
  async function change<Decision extends { readonly after: ApiKeyRecord }>(
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

  return {
    issue: async (request) => add(issueApiKey(request, newMaterial())),

    async *list() {
      for await (const { digest: _digest, ...apiKey } of allRecordsOf(registry)) yield apiKey;
    },

    // The expiry comes first: if the process ends before the successor is added, the old key still expires as requested.
    async rotate(id, rotation) {
      const { successor } = await change(id, (record) => {
        const { expiresAt, successor } = rotateApiKey(record, rotation, newMaterial());
        return { after: { ...record, expiresAt }, successor };
      });
      return add(successor);
    },

    async revoke(id) {
      await change(id, (record) => ({ after: revokeApiKey(record, now()) }));
    },
  };
}
