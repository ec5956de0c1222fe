import {
  API_KEY_RULES,
  isApiKeyName,
  stateOfApiKey,
  type ApiKey,
  type ApiKeyRecord,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { needSha256, sha256 } from './digest.js';

/** An API key, and the name of the principal that it belongs to. */
export interface ApiKeyEntry {
  /** 1 to 256 printable characters. */
  readonly name: string;
  readonly key: string;
}

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in the memory of one process, on any runtime that has SHA-256. Stores the
 * SHA-256 of each key instead of the key. Its fields are private to TypeScript only, so that it works behind a `Proxy`.
 */
export class InMemoryApiKeys implements ApiKeys, ApiKeyRegistry {
  private readonly byId = new Map<string, ApiKeyRecord>();
  /** The time of a look-up depends on the SHA-256, and so reveals nothing about the key. */
  private readonly byDigest = new Map<string, ApiKeyRecord>();
  /** Some runtimes compute the digests of the constructor's keys asynchronously. */
  private readonly begun: Promise<void>;

  /**
   * @param keys The keys that are active from the start. They never expire. If a key is repeated, its first name counts.
   * @default none
   * @throws TypeError for a name that breaks its rule.
   * @throws Error if the runtime has no SHA-256.
   */
  constructor(keys: Iterable<ApiKeyEntry> = []) {
    needSha256();
    this.begun = this.storeAll(Array.from(keys, checked));
  }

  async verify(key: string): Promise<Principal | undefined> {
    await this.begun;
    const record = this.byDigest.get(await sha256(key));
    const isActive = record !== undefined && stateOfApiKey(record, new Date()) === 'active';
    return isActive ? { name: record.name } : undefined;
  }

  async add(record: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    return this.store(record);
  }

  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    await this.begun;
    const found = Array.from(this.byId.values()).filter(({ id }) => id > after);
    const keys = found
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit)
      .map(copyOf);
    const last = keys.at(-1);
    return last !== undefined && found.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    await this.begun;
    const record = this.byId.get(id);
    return record && copyOf(record);
  }

  async replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    const record = this.byId.get(before.id);
    if (record === undefined || !endsAlike(record, before)) return false;
    this.keep({ ...after, id: record.id, digest: record.digest });
    return true;
  }

  private async storeAll(keys: readonly ApiKeyEntry[]): Promise<void> {
    const createdAt = new Date();
    for (const [i, { name, key }] of keys.entries()) {
      // Such an id is less than those that begin with a time.
      this.store({ id: String(i).padStart(9, '0'), name, createdAt, digest: await sha256(key) });
    }
  }

  private store(record: ApiKeyRecord): boolean {
    if (this.byId.has(record.id) || this.byDigest.has(record.digest)) return false;
    this.keep(record);
    return true;
  }

  private keep(record: ApiKeyRecord): void {
    const copy = copyOf(record);
    this.byId.set(copy.id, copy);
    this.byDigest.set(copy.digest, copy);
  }
}

function checked(entry: ApiKeyEntry): ApiKeyEntry {
  if (!isApiKeyName(entry.name)) throw new TypeError(`name ${API_KEY_RULES.name}`);
  return { ...entry };
}

function endsAlike(a: ApiKey, b: ApiKey): boolean {
  return a.expiresAt?.getTime() === b.expiresAt?.getTime() && a.revokedAt?.getTime() === b.revokedAt?.getTime();
}

/** The environment jsdom of test runners has no `structuredClone`. */
function copyOf(record: ApiKeyRecord): ApiKeyRecord {
  const { createdAt, expiresAt, revokedAt } = record;
  return {
    ...record,
    createdAt: new Date(createdAt),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
  };
}
