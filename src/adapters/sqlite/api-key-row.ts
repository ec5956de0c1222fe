import type { ApiKey, ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { valuesOf, type Row, type SqlValue } from './node-sqlite.js';

/** Times and durations are in milliseconds. */
const COLUMNS = 'id, name, createdAt, lifetimeMs, expiresAt, revokedAt';

export const INSERT = `INSERT INTO apiKeys (${COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, unhex(?)) ON CONFLICT DO NOTHING`;

export const SELECT = `SELECT ${COLUMNS}, lower(hex(digest)) FROM apiKeys`;

export function valuesOfRecord({ id, name, createdAt, lifetimeMs, digest, ...end }: ApiKeyRecord): SqlValue[] {
  return [id, name, createdAt.getTime(), lifetimeMs ?? null, ...valuesOfEnd(end), digest];
}

export function valuesOfEnd({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>): SqlValue[] {
  return [expiresAt?.getTime() ?? null, revokedAt?.getTime() ?? null];
}

/** The table's constraints leave no other types. */
export function recordOf(row: Row): ApiKeyRecord {
  const [id, name, createdAt, lifetimeMs, expiresAt, revokedAt, digest] = valuesOf(row);
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
