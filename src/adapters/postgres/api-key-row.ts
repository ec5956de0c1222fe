import type { ApiKey, ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { Row, Value } from './statement.js';

/** In the order of {@link valuesOfRecord}. Times and durations are in milliseconds. */
export const COLUMNS = 'id, name, created_at, lifetime_ms, expires_at, revoked_at, digest';

export const READ_COLUMNS = COLUMNS.replace('digest', "encode(digest, 'hex')");

export function valuesOfRecord({ id, name, createdAt, lifetimeMs, digest, ...end }: ApiKeyRecord): Value[] {
  const lifetime = lifetimeMs === undefined ? null : String(lifetimeMs);
  return [id, name, timeOf(createdAt), lifetime, ...valuesOfEnd(end), `\\x${digest}`];
}

export function valuesOfEnd({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>): Value[] {
  return [timeOf(expiresAt), timeOf(revokedAt)];
}

function timeOf(date: Date | undefined): string | null {
  return date === undefined ? null : String(date.getTime());
}

/** @param row Of {@link READ_COLUMNS}. */
export function recordOf(row: Row): ApiKeyRecord {
  const [id, name, createdAt, lifetimeMs, expiresAt, revokedAt, digest] = row;
  return {
    id: id as string,
    name: name as string,
    createdAt: new Date(Number(createdAt)),
    ...(lifetimeMs !== null && { lifetimeMs: Number(lifetimeMs) }),
    ...(expiresAt !== null && { expiresAt: new Date(Number(expiresAt)) }),
    ...(revokedAt !== null && { revokedAt: new Date(Number(revokedAt)) }),
    digest: digest as string,
  };
}
