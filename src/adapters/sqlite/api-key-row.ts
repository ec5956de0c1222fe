import type { ApiKey } from '../../domain/api-keys/api-key.js';
import { valuesOf, type Row, type SqlValue } from './node-sqlite.js';

/** The columns of the table `apiKeys` that an API key consists of, and what they hold: times and durations in milliseconds. */
export const COLUMNS = 'id, name, createdAt, lifetimeMs, expiresAt, revokedAt';
type ApiKeyValues = readonly [
  id: string,
  name: string,
  createdAt: bigint,
  lifetimeMs: bigint | null,
  expiresAt: bigint | null,
  revokedAt: bigint | null,
];

/** The values of an API key, in the order of {@link COLUMNS}. */
export function columnsOf({ id, name, createdAt, lifetimeMs, expiresAt, revokedAt }: ApiKey): SqlValue[] {
  return [
    id,
    name,
    createdAt.getTime(),
    lifetimeMs ?? null,
    expiresAt?.getTime() ?? null,
    revokedAt?.getTime() ?? null,
  ];
}

/** The API key of a row that begins with {@link COLUMNS}. The table's constraints leave no other types. */
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
