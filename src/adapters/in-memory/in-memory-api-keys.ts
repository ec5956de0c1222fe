import {
  issueApiKey,
  KEY_RANDOM_BYTES,
  stateOfApiKey,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRecord,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { needSha256, sha256 } from './digest.js';

/** An API key, and the name of the principal that it belongs to. */
export interface ApiKeyEntry {
  readonly name: string;
  readonly key: string;
}

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in the memory of one process, on any runtime that has SHA-256. Stores the
 * SHA-256 of each key instead of the key. Its fields are private to TypeScript only, so that it works behind a `Proxy`.
 */
export class InMemoryApiKeys implements ApiKeys, ApiKeyRegistry {
  /** By SHA-256. The time of a look-up depends on the SHA-256, and so reveals nothing about the key. */
  private readonly records = new Map<string, ApiKeyRecord>();
  /** Resolves once the keys that were passed to the constructor are stored: some runtimes compute a digest asynchronously. */
  private readonly begun: Promise<void>;

  /**
   * @param keys The keys that are active from the start. They never expire. If a key is repeated, its first name counts.
   * @default none
   * @throws Error if the runtime has no SHA-256.
   */
  constructor(keys: Iterable<ApiKeyEntry> = []) {
    needSha256();
    const issued = Array.from(keys, ({ name, key }, i) => ({ ...issueApiKey({ name }, materialOfGiven(i)), key }));
    this.begun = this.storeAll(issued);
  }

  async verify(key: string): Promise<Principal | undefined> {
    await this.begun;
    const record = this.records.get(await sha256(key));
    const isActive = record !== undefined && stateOfApiKey(record, new Date()) === 'active';
    return isActive ? { name: record.name } : undefined;
  }

  async add(record: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    return this.store(record);
  }

  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    await this.begun;
    const found = Array.from(this.records.values()).filter(({ id }) => id > after);
    const keys = found
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit)
      .map(copyOf);
    const last = keys.at(-1);
    return last !== undefined && found.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    await this.begun;
    const record = this.recordOf(id);
    return record && copyOf(record);
  }

  async replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    const record = this.recordOf(before.id);
    if (record === undefined || !endsAlike(record, before)) return false;
    this.records.set(record.digest, copyOf(after));
    return true;
  }

  private async storeAll(keys: readonly IssuedApiKey[]): Promise<void> {
    for (const { key, ...apiKey } of keys) this.store({ ...apiKey, digest: await sha256(key) });
  }

  private store(record: ApiKeyRecord): boolean {
    if (this.recordOf(record.id) !== undefined || this.records.has(record.digest)) return false;
    this.records.set(record.digest, copyOf(record));
    return true;
  }

  private recordOf(id: string): ApiKeyRecord | undefined {
    for (const record of this.records.values()) if (record.id === id) return record;
    return undefined;
  }
}

/** Whether two records of a key have the same expiry and revocation. */
function endsAlike(a: ApiKey, b: ApiKey): boolean {
  return a.expiresAt?.getTime() === b.expiresAt?.getTime() && a.revokedAt?.getTime() === b.revokedAt?.getTime();
}

/** Makes the id of a given key from a count, because workers have no random bytes while a module loads. */
function materialOfGiven(count: number): ApiKeyMaterial {
  const random = new Uint8Array(KEY_RANDOM_BYTES);
  new DataView(random.buffer).setUint32(0, count);
  return { now: new Date(), random };
}

/** A copy with dates of its own. The environment jsdom of test runners has no `structuredClone`. */
function copyOf(record: ApiKeyRecord): ApiKeyRecord {
  const { createdAt, expiresAt, revokedAt } = record;
  return {
    ...record,
    createdAt: new Date(createdAt),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
  };
}
