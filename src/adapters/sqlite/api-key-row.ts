import type { ApiKey, ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { valuesOf, type Row, type SqlValue } from './node-sqlite.js';

/** The columns of the table `apiKeys`. Times and durations are in milliseconds. */
export const COLUMNS = 'id, name, createdAt, lifetimeMs, expiresAt, revokedAt, digest';
type ApiKeyValues = readonly [
  id: string,
  name: string,
  createdAt: bigint,
  lifetimeMs: bigint | null,
  expiresAt: bigint | null,
  revokedAt: bigint | null,
  digest: Uint8Array,
];

/** The values of a record, in the order of {@link COLUMNS}. */
export function valuesOfRecord({ id, name, createdAt, lifetimeMs, sha256, ...end }: ApiKeyRecord): SqlValue[] {
  return [id, name, createdAt.getTime(), lifetimeMs ?? null, ...valuesOfEnd(end), Buffer.from(sha256, 'hex')];
}

/** The values of `expiresAt` and `revokedAt`. */
export function valuesOfEnd({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>): SqlValue[] {
  return [expiresAt?.getTime() ?? null, revokedAt?.getTime() ?? null];
}

/** The record of a row of {@link COLUMNS}. */
export function recordOf(row: Row): ApiKeyRecord {
  const digest = valuesOf(row).at(-1) as Uint8Array;
  return { ...apiKeyOf(row), sha256: Buffer.from(digest).toString('hex') };
}

/** The API key of a row of {@link COLUMNS}. The table's constraints leave no other types. */
export function apiKeyOf(row: Row): ApiKey {
  const [id, name, createdAt, lifetimeMs, expiresAt, revokedAt] = valuesOf(row) as ApiKeyValues;
  return {
    id,
    name,
    createdAt: dateOf(createdAt),
    ...(lifetimeMs !== null && { lifetimeMs: Number(lifetimeMs) }),
    ...(expiresAt !== null && { expiresAt: dateOf(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: dateOf(revokedAt) }),
  };
}

function dateOf(milliseconds: bigint): Date {
  return new Date(Number(milliseconds));
}
