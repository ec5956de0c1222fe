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

/** A stored key, without its text. */
interface Entry {
  readonly principal: Principal;
  record: ApiKeyRecord;
}

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in the memory of one process, on any runtime that has SHA-256. Stores the
 * SHA-256 of each key instead of the key. Its fields are private to TypeScript only, so that it works behind a `Proxy`.
 */
export class InMemoryApiKeys implements ApiKeys, ApiKeyRegistry {
  /** By ascending id. */
  private readonly entries: Entry[] = [];
  /** By SHA-256. The time of a look-up depends on the SHA-256, and so reveals nothing about the key. */
  private readonly bySha256 = new Map<string, Entry>();
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
    const found = this.bySha256.get(await sha256(key));
    const isActive = found !== undefined && stateOfApiKey(found.record, new Date()) === 'active';
    return isActive ? found.principal : undefined;
  }

  async add(record: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    return this.store(record);
  }

  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    await this.begun;
    const start = this.countUpTo(after);
    const keys = this.entries.slice(start, start + limit).map(({ record }) => copyOf(record));
    const last = keys.at(-1);
    return last !== undefined && start + limit < this.entries.length ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    await this.begun;
    const record = this.entryOf(id)?.record;
    return record && copyOf(record);
  }

  async replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean> {
    await this.begun;
    const entry = this.entryOf(before.id);
    if (entry === undefined || !endsAlike(entry.record, before)) return false;
    entry.record = copyOf(after);
    return true;
  }

  private async storeAll(keys: readonly IssuedApiKey[]): Promise<void> {
    for (const { key, ...apiKey } of keys) this.store({ ...apiKey, sha256: await sha256(key) });
  }

  private store(record: ApiKeyRecord): boolean {
    const { id, name, sha256 } = record;
    if (this.entryOf(id) !== undefined || this.bySha256.has(sha256)) return false;
    const entry = { principal: Object.freeze({ name }), record: copyOf(record) };
    this.entries.splice(this.countUpTo(id), 0, entry);
    this.bySha256.set(sha256, entry);
    return true;
  }

  private entryOf(id: string): Entry | undefined {
    return this.entries.find(({ record }) => record.id === id);
  }

  /** How many entries have this id or a smaller one. Compares the greatest first, because a new key has the greatest id. */
  private countUpTo(id: string): number {
    return this.entries.findLastIndex(({ record }) => record.id <= id) + 1;
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
