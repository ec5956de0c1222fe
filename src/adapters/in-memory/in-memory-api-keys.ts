import {
  apiKeyNotFound,
  issueApiKey,
  KEY_RANDOM_BYTES,
  revokeApiKey,
  rotateApiKey,
  stateOfApiKey,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { needSha256, randomKeyBytes, sha256 } from './digest.js';

/** An API key, and the name of the principal that it belongs to. */
export interface ApiKeyEntry {
  readonly name: string;
  readonly key: string;
}

/** A key on record, without its text. */
interface Entry {
  readonly principal: Principal;
  apiKey: ApiKey;
}

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in the memory of one process, on any runtime that has SHA-256. Holds the SHA-256
 * of each key, and no key.
 */
export class InMemoryApiKeys implements ApiKeys, ApiKeyRegistry {
  /** In the order of creation. */
  readonly #entries: Entry[] = [];
  /** By digest. How long a look-up takes depends on the digest, which reveals nothing about the key. */
  readonly #byDigest = new Map<string, Entry>();
  /** Resolves once the keys that the constructor was given are on record: some runtimes take their time for a digest. */
  readonly #begun: Promise<void>;

  /**
   * @param keys The keys that are active from the start. They do not expire. @default none
   * @throws Error if the runtime has no SHA-256.
   */
  constructor(keys: Iterable<ApiKeyEntry> = []) {
    needSha256();
    const issued = Array.from(keys, ({ name, key }, i) => ({ ...issueApiKey({ name }, materialOfGiven(i)), key }));
    this.#begun = this.#recordAll(issued);
  }

  async verify(key: string): Promise<Principal | undefined> {
    await this.#begun;
    const found = this.#byDigest.get(await sha256(key));
    return found !== undefined && isActive(found.apiKey) ? found.principal : undefined;
  }

  async create(request: ApiKeyRequest): Promise<IssuedApiKey> {
    const issued = issueApiKey(request, material());
    await this.#begun;
    return this.#record(issued);
  }

  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    await this.#begun;
    const start = after === undefined ? 0 : this.#entries.findIndex(({ apiKey }) => apiKey.id === after) + 1;
    const keys = this.#entries.slice(start, start + limit).map(({ apiKey }) => copyOf(apiKey));
    const last = keys.at(-1);
    return last !== undefined && start + limit < this.#entries.length ? { keys, next: last.id } : { keys };
  }

  async rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey> {
    const entry = await this.#entryOf(id);
    const { expiresAt, successor } = rotateApiKey(entry.apiKey, rotation, material());
    entry.apiKey = { ...entry.apiKey, expiresAt };
    return this.#record(successor);
  }

  async revoke(id: string): Promise<void> {
    const entry = await this.#entryOf(id);
    entry.apiKey = revokeApiKey(entry.apiKey, new Date());
  }

  async #recordAll(keys: readonly IssuedApiKey[]): Promise<void> {
    for (const issued of keys) await this.#record(issued);
  }

  async #record(issued: IssuedApiKey): Promise<IssuedApiKey> {
    const { key, ...apiKey } = issued;
    const entry = { principal: Object.freeze({ name: apiKey.name }), apiKey: copyOf(apiKey) };
    const digest = await sha256(key);
    this.#entries.push(entry);
    if (!this.#byDigest.has(digest)) this.#byDigest.set(digest, entry);
    return issued;
  }

  async #entryOf(id: string): Promise<Entry> {
    await this.#begun;
    const entry = this.#entries.find(({ apiKey }) => apiKey.id === id);
    if (entry === undefined) throw apiKeyNotFound();
    return entry;
  }
}

function material(): ApiKeyMaterial {
  return { now: new Date(), random: randomKeyBytes() };
}

/** Makes the id of a given key from a count, because workers have no random bytes while a module loads. */
function materialOfGiven(count: number): ApiKeyMaterial {
  const random = new Uint8Array(KEY_RANDOM_BYTES);
  new DataView(random.buffer).setUint32(0, count);
  return { now: new Date(), random };
}

/** A copy with dates of its own. The environment jsdom of test runners has no `structuredClone`. */
function copyOf(apiKey: ApiKey): ApiKey {
  const { createdAt, expiresAt, revokedAt } = apiKey;
  return {
    ...apiKey,
    createdAt: new Date(createdAt),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
  };
}

/** Most keys are not revoked and do not expire. For those, this reads no clock. */
function isActive(apiKey: ApiKey): boolean {
  const { expiresAt, revokedAt } = apiKey;
  return (expiresAt ?? revokedAt) === undefined || stateOfApiKey(apiKey, new Date()) === 'active';
}
