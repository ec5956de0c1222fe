import {
  KEY_RANDOM_BYTES,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { issueKeyIn } from './issue-key.js';
import { listKeysOf } from './list-keys.js';
import { revokeKeyIn } from './revoke-key.js';
import { rotateKeyIn } from './rotate-key.js';

/**
 * The driving port: everything that people do with API keys.
 *
 * Each method rejects with an `AnimalStoreError`: with `store_unavailable` if the registry's database does not answer in
 * time, and with the codes below. Other errors of the registry pass through unchanged. No message repeats an id that a caller
 * gave: it may be a key that was mistaken for one.
 */
export interface ApiKeyManager {
  /**
   * Issues a key, and resolves to it once its record is durable. This is the only time that the key is shown. If this
   * rejects with `store_unavailable`, the key may be on record, but nobody has it.
   *
   * Rejects with `invalid_key_request` if the name or the lifetime breaks its rule; then nothing has changed.
   */
  issue(request: ApiKeyRequest): Promise<IssuedApiKey>;

  /** Every key that was ever issued, expired and revoked ones included, the oldest first. Reads on only as the loop goes on. */
  list(): AsyncGenerator<ApiKey, void, undefined>;

  /**
   * Issues a key in place of another: for the same name, and for as long as the old key was issued for. The old key goes
   * on working for the overlap, but never beyond its own expiry.
   *
   * First sets the old key's expiry, then adds the new key. If the process ends between the two, or this rejects with
   * `store_unavailable`, the new key may be missing: call it again while the old key is active, or else issue a new key.
   * Concurrent rotations and revocations have the effect of calls one after the other: each rotation gets a key of its own if
   * the old one is still active. So without an overlap, only one of them does.
   *
   * Rejects with `invalid_key_request` if the overlap breaks its rule, with `api_key_not_found` if no key has this id, and
   * with `api_key_not_in_force` if the key was revoked or has expired; then it has changed nothing.
   */
  rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey>;

  /**
   * Revokes a key for good, whether or not it has expired. A key that was revoked before stays as it is, and its
   * successors go on working.
   *
   * Rejects with `api_key_not_found` if no key has this id.
   */
  revoke(id: string): Promise<void>;
}

/** What an {@link ApiKeyManager} works with. */
export interface ApiKeyManagerOptions {
  /** Keeps the keys on record. */
  readonly registry: ApiKeyRegistry;
  /** The present time. */
  readonly now: () => Date;
  /** That many bytes of a cryptographic random generator, such as `randomBytes` of `node:crypto`. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * Makes the manager of the API keys in a registry: a plain object, whose methods may be taken out of it, wrapped and replaced.
 *
 * @example
 * const manager = createApiKeyManager({ registry: new InMemoryApiKeys(), now: () => new Date(), randomBytes });
 * const { key } = await manager.issue({ name: 'front-end' });
 */
export function createApiKeyManager({ registry, now, randomBytes }: ApiKeyManagerOptions): ApiKeyManager {
  const newMaterial = (): ApiKeyMaterial => ({ now: now(), random: randomBytes(KEY_RANDOM_BYTES) });
  return {
    issue: issueKeyIn(registry, newMaterial),
    list: listKeysOf(registry),
    rotate: rotateKeyIn(registry, newMaterial),
    revoke: revokeKeyIn(registry, now),
  };
}
