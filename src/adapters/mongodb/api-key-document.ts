import type { Document } from 'mongodb';
import { stateOfApiKey, type ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { hexOf } from './pet-document.js';

/** An API key as it is stored: never the key itself. */
export interface ApiKeyDocument {
  /** The key's public id, by which it is listed, rotated and revoked. */
  readonly _id: string;
  /** The SHA-256 of the key; unique. */
  readonly digest: Uint8Array;
  /** The name of the principal that it was issued to. */
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** How long the key was issued for, in milliseconds: its successor gets as much. Left out if it never expires. */
  readonly lifetimeMs?: number;
}

/** The document of a record. */
export function toApiKeyDocument({ id, sha256, ...facts }: ApiKeyRecord): ApiKeyDocument {
  return { _id: id, digest: Buffer.from(sha256, 'hex'), ...facts };
}

/** The record in a document. */
export function toApiKeyRecord(document: Document): ApiKeyRecord {
  const { _id, digest, ...facts } = document as ApiKeyDocument;
  return { id: _id, sha256: hexOf(digest), ...facts };
}

/** Whether a key is neither revoked nor expired, by the clock of this machine. */
export function isActive(document: ApiKeyDocument): boolean {
  return stateOfApiKey(document, new Date()) === 'active';
}
