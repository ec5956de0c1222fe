import type { ApiKey } from '../../domain/api-keys/api-key.js';
import type { Row, SqlValue } from './node-sqlite.js';

/** The members of an API key that are times or durations, in milliseconds, in a row of the table `apiKeys`. */
interface ApiKeyRow extends Row {
  readonly id: string;
  readonly name: string;
  readonly createdAt: bigint;
  readonly lifetimeMs: bigint | null;
  readonly expiresAt: bigint | null;
  readonly revokedAt: bigint | null;
}

/** The values of an API key, in the order of the columns: id, name, createdAt, lifetimeMs, expiresAt, revokedAt. */
export function valuesOf({ id, name, createdAt, lifetimeMs, expiresAt, revokedAt }: ApiKey): SqlValue[] {
  return [
    id,
    name,
    createdAt.getTime(),
    lifetimeMs ?? null,
    expiresAt?.getTime() ?? null,
    revokedAt?.getTime() ?? null,
  ];
}

/** The API key of a row. The table's constraints leave no other types. */
export function apiKeyOf(row: Row): ApiKey {
  const { id, name, createdAt, lifetimeMs, expiresAt, revokedAt } = row as ApiKeyRow;
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
