import type { Filter } from 'mongodb';
import { stateOfApiKey } from '../../../domain/api-keys/api-key.js';

/** An API key as it is stored: never the key itself. */
export interface ApiKeyDocument {
  /** The key's public id, by which it is listed, rotated and revoked. */
  readonly _id: string;
  /** The SHA-256 of the key; unique. */
  readonly digest: Buffer;
  /** The name of the principal that it was issued to. */
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** How long the key was issued for, in milliseconds: its successor gets as much. Left out if it never expires. */
  readonly lifetimeMs?: number;
}

/** Whether a key is neither revoked nor expired, by the clock of this machine. */
export function isActive(document: ApiKeyDocument): boolean {
  return stateOfApiKey(document, new Date()) === 'active';
}

/** The filter of the keys that are neither revoked nor expired. */
export function activeAt(now: Date): Filter<ApiKeyDocument> {
  return { revokedAt: { $exists: false }, $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: now } }] };
}
