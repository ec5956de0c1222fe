import { makeApiKeyText } from './api-key-format.js';
import { AnimalStoreError, faultsOf } from '../errors.js';

/** What is known about an API key: everything but the key itself. */
export interface ApiKey {
  /** The public id, by which the key is rotated and revoked: unique, 1 to 64 of `A-Za-z0-9_-`. */
  readonly id: string;
  /** The name that the key was issued to: 1 to 256 printable characters, safe to log. Not unique. */
  readonly name: string;
  readonly createdAt: Date;
  /** How long the key was issued for, in milliseconds; its successor gets the same. Left out if the key does not expire. */
  readonly lifetimeMs?: number;
  /** When the key expires. Left out if it does not. */
  readonly expiresAt?: Date;
  /** When the key was revoked. Left out if it was not. */
  readonly revokedAt?: Date;
}

/** The stored record of an API key. It has the SHA-256 of the key, from which nobody can derive the key. */
export interface ApiKeyRecord extends ApiKey {
  /** The SHA-256 of the key in UTF-8, in 64 lower-case hexadecimal digits. Unique. */
  readonly digest: string;
}

/** A newly issued API key. */
export interface IssuedApiKey extends ApiKey {
  /** The key itself, which is shown only here. It is a valid bearer token (RFC 6750, section 2.1). */
  readonly key: string;
}

/** The input from which an API key is issued. */
export interface ApiKeyRequest {
  /** The name that the key is issued to: 1 to 256 printable characters. */
  readonly name: string;
  /** How long the key works, in milliseconds: an integer from 1 to {@link KEY_LIFETIME_MAX_MS}. @default never expires */
  readonly lifetimeMs?: number | undefined;
}

/** The input of a rotation. */
export interface ApiKeyRotation {
  /** How long the old key keeps working, in milliseconds: an integer from 0 to {@link KEY_LIFETIME_MAX_MS}. */
  readonly overlapMs: number;
}

export interface ApiKeyMaterial {
  readonly now: Date;
  /** {@link KEY_RANDOM_BYTES} bytes of a cryptographic random generator. */
  readonly random: Uint8Array;
}

/** The longest lifetime and overlap: 36,500 days, in milliseconds. */
export const KEY_LIFETIME_MAX_MS = 36_500 * 86_400_000;

export const KEY_RANDOM_BYTES = 36;

export const API_KEY_RULES = {
  name: 'must be 1 to 256 printable characters',
  lifetimeMs: `must be an integer from 1 to ${KEY_LIFETIME_MAX_MS}, or be left out`,
  overlapMs: `must be an integer from 0 to ${KEY_LIFETIME_MAX_MS}`,
} as const satisfies Record<keyof ApiKeyRequest | keyof ApiKeyRotation, string>;

export function isApiKeyName(name: unknown): name is string {
  return typeof name === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,256}$/u.test(name);
}

/** Keys by ascending id are in the order of creation. @throws AnimalStoreError `invalid_key_request`, with every fault. */
export function issueApiKey(request: ApiKeyRequest, material: ApiKeyMaterial): IssuedApiKey {
  const { name, lifetimeMs } = checked(request);
  const faults = faultsOf(
    ['name', isApiKeyName(name), API_KEY_RULES.name],
    ['lifetimeMs', lifetimeMs === undefined || isDuration(lifetimeMs, 1), API_KEY_RULES.lifetimeMs],
  );
  if (faults.length > 0) throw new AnimalStoreError('invalid_key_request', faults);
  return issue(name, lifetimeMs, material);
}

/** @throws AnimalStoreError `invalid_key_request` for the overlap; `api_key_not_active` if the key was revoked or has expired. */
export function rotateApiKey(
  old: ApiKey,
  rotation: ApiKeyRotation,
  material: ApiKeyMaterial,
): { readonly expiresAt: Date; readonly successor: IssuedApiKey } {
  const { now } = material;
  const { overlapMs } = checked(rotation);
  const faults = faultsOf(['overlapMs', isDuration(overlapMs, 0), API_KEY_RULES.overlapMs]);
  if (faults.length > 0) throw new AnimalStoreError('invalid_key_request', faults);
  if (stateOfApiKey(old, now) !== 'active') {
    throw new AnimalStoreError('api_key_not_active', 'the API key with this id is no longer active');
  }
  const expiresAt = new Date(Math.min(now.getTime() + overlapMs, old.expiresAt?.getTime() ?? Infinity));
  return { expiresAt, successor: issue(old.name, old.lifetimeMs, material) };
}

/** A key that was already revoked keeps the time of its first revocation. */
export function revokeApiKey<Key extends ApiKey>(key: Key, now: Date): Key {
  return key.revokedAt === undefined ? { ...key, revokedAt: now } : key;
}

/** The state of a key at a time. A revoked key counts as revoked even if it has also expired. */
export function stateOfApiKey(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt === undefined || expiresAt > now ? 'active' : 'expired';
}

/** Does not repeat the id, because a caller may have passed a key by mistake. */
export function apiKeyNotFound(): AnimalStoreError {
  return new AnimalStoreError('api_key_not_found', 'no API key has this id');
}

function issue(name: string, lifetimeMs: number | undefined, { now, random }: ApiKeyMaterial): IssuedApiKey {
  if (random.length < KEY_RANDOM_BYTES) throw new TypeError(`random must be ${KEY_RANDOM_BYTES} bytes`);
  const createdAt = new Date(now);
  const lifetime = lifetimeMs !== undefined && { lifetimeMs, expiresAt: new Date(now.getTime() + lifetimeMs) };
  return {
    id: makeId(now, random.subarray(0, 4)),
    name,
    createdAt,
    ...lifetime,
    key: makeApiKeyText(random.subarray(4)),
  };
}

/** 9 digits of base36 for the time, then 7 for 4 random bytes. In lower case, because some databases ignore case. */
function makeId(now: Date, random: Uint8Array): string {
  const number = random.reduce((sum, byte) => sum * 256 + byte, 0);
  return now.getTime().toString(36).padStart(9, '0') + number.toString(36).padStart(7, '0');
}

function checked<T>(input: T): T {
  if (typeof input === 'object' && input !== null) return input;
  throw new AnimalStoreError('invalid_key_request', 'a request for an API key must be an object');
}

/** In milliseconds, at most {@link KEY_LIFETIME_MAX_MS}. */
export function isDuration(value: unknown, minimum: number): boolean {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= KEY_LIFETIME_MAX_MS;
}
