import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** An API key, and the name of the principal that it belongs to. */
export interface ApiKeyEntry {
  readonly name: string;
  readonly key: string;
}

/** The size of a SHA-256. */
const DIGEST_BYTES = 32;

/** A key on record, and the SHA-256 of its text. */
interface Entry {
  readonly digest: Buffer;
  readonly principal: Principal;
  apiKey: ApiKey;
}

/** {@link ApiKeys} and their {@link ApiKeyRegistry} in the memory of one process. Holds the SHA-256 of each key, and no key. */
export class InMemoryApiKeys implements ApiKeys, ApiKeyRegistry {
  /** In the order of creation. */
  readonly #entries: Entry[] = [];
  /** By digest. How long a look-up takes depends on the digest, which reveals nothing about the key. */
  readonly #byDigest = new Map<string, Entry>();
  /** The digest of the key that is being verified. One buffer serves all calls, because `verify` never awaits. */
  readonly #presented = Buffer.alloc(DIGEST_BYTES);

  /** @param keys The keys that are active from the start. They do not expire. @default none */
  constructor(keys: Iterable<ApiKeyEntry> = []) {
    for (const { name, key } of keys) this.#record({ ...issueApiKey({ name }, this.#materialOfGiven()), key });
  }

  async verify(key: string): Promise<Principal | undefined> {
    const digest = sha256(key);
    const found = this.#byDigest.get(digest);
    if (found === undefined) return undefined;
    this.#presented.write(digest, 'binary');
    if (!timingSafeEqual(found.digest, this.#presented)) return undefined;
    return isActive(found.apiKey) ? found.principal : undefined;
  }

  async create(request: ApiKeyRequest): Promise<IssuedApiKey> {
    return this.#record(issueApiKey(request, material()));
  }

  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    const start = after === undefined ? 0 : this.#entries.findIndex(({ apiKey }) => apiKey.id === after) + 1;
    const keys = this.#entries.slice(start, start + limit).map(({ apiKey }) => copyOf(apiKey));
    const last = keys.at(-1);
    return last !== undefined && start + limit < this.#entries.length ? { keys, next: last.id } : { keys };
  }

  async rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey> {
    const entry = this.#entryOf(id);
    const { expiresAt, successor } = rotateApiKey(entry.apiKey, rotation, material());
    entry.apiKey = { ...entry.apiKey, expiresAt };
    return this.#record(successor);
  }

  async revoke(id: string): Promise<void> {
    const entry = this.#entryOf(id);
    entry.apiKey = revokeApiKey(entry.apiKey, new Date());
  }

  #record(issued: IssuedApiKey): IssuedApiKey {
    const { key, ...apiKey } = issued;
    const principal = Object.freeze({ name: apiKey.name });
    const digest = sha256(key);
    const entry = { digest: Buffer.from(digest, 'binary'), principal, apiKey: copyOf(apiKey) };
    this.#entries.push(entry);
    if (!this.#byDigest.has(digest)) this.#byDigest.set(digest, entry);
    return issued;
  }

  /** Makes the id of a given key from a count, because workers have no random bytes while a module loads. */
  #materialOfGiven(): ApiKeyMaterial {
    const random = Buffer.alloc(KEY_RANDOM_BYTES);
    random.writeUInt32BE(this.#entries.length);
    return { now: new Date(), random };
  }

  #entryOf(id: string): Entry {
    const entry = this.#entries.find(({ apiKey }) => apiKey.id === id);
    if (entry === undefined) throw apiKeyNotFound();
    return entry;
  }
}

function material(): ApiKeyMaterial {
  return { now: new Date(), random: randomBytes(KEY_RANDOM_BYTES) };
}

function copyOf(apiKey: ApiKey): ApiKey {
  return structuredClone(apiKey);
}

/** The SHA-256 of a key as a string of 32 characters, one for each byte, which is the cheapest form to make and to look up. */
function sha256(key: string): string {
  return hash('sha256', key, 'binary');
}

/** Most keys are not revoked and do not expire. For those, this reads no clock. */
function isActive(apiKey: ApiKey): boolean {
  const { expiresAt, revokedAt } = apiKey;
  return (expiresAt ?? revokedAt) === undefined || stateOfApiKey(apiKey, new Date()) === 'active';
}
