import { API_KEY_RULES, isApiKeyName, isDuration, type ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { faultsOf, type Fault } from '../../domain/errors.js';

const KEY_ID_RULE = 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -';
const TIME_RULE = 'must be a time';
const SHA256_RULE = 'must be 64 lower-case hexadecimal digits';

export function faultsOfDigest(digest: string | undefined): readonly Fault[] {
  return faultsOf(['idempotencyDigest', digest === undefined || isSha256(digest), SHA256_RULE]);
}

export function faultsOfKey(apiKey: ApiKeyRecord): readonly Fault[] {
  const { id, digest, name, lifetimeMs, createdAt, expiresAt, revokedAt } = apiKey;
  return faultsOf(
    ['id', typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id), KEY_ID_RULE],
    ['digest', isSha256(digest), SHA256_RULE],
    ['name', isApiKeyName(name), API_KEY_RULES.name],
    ['lifetimeMs', lifetimeMs === undefined || isDuration(lifetimeMs, 1), API_KEY_RULES.lifetimeMs],
    ['createdAt', isTime(createdAt), TIME_RULE],
    ['expiresAt', expiresAt === undefined || isTime(expiresAt), TIME_RULE],
    ['revokedAt', revokedAt === undefined || isTime(revokedAt), TIME_RULE],
  );
}

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
