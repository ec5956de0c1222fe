import { inspect } from 'node:util';
import { messageOfFaults } from '../../domain/errors.js';
import type { PetRecord } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { faultsOfNewPet, makePet, PET_ID_RULE, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../domain/pet.js';
import { COLLECTIONS, int64Of } from './collections.js';

/** Every integer is a BSON int64. Contains no BSON class, so that the `Db` may come from any copy of the driver. */
export interface PetDocument {
  readonly _id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
  /** The SHA-256 of the idempotency key. */
  readonly digest?: Buffer;
}

/** Another program may have written it. */
export type StoredPet = Readonly<Partial<Record<keyof PetDocument, unknown>>>;

/** A document that another program wrote, and that this adapter cannot read. `message` names it and says what is wrong. */
export class MalformedDocumentError extends Error {
  override readonly name = 'MalformedDocumentError';

  constructor(collection: string, id: unknown, rule: string) {
    super(`the document ${describeId(id)} of the collection ${collection} is malformed: ${rule}`);
  }
}

/** Copies the members one by one, in half the time of a spread. */
export function toPetDocument(id: bigint, newPet: NewPet, digest: Buffer | undefined): PetDocument {
  const document: Partial<Record<keyof PetDocument, unknown>> = { _id: id };
  for (const member of PET_MEMBER_NAMES) {
    const value = newPet[member];
    if (value !== undefined) document[member] = value;
  }
  if (digest !== undefined) document.digest = digest;
  return document as PetDocument;
}

/** @returns `undefined` if the document is no animal: its `_id` is not an int64 of 1 or more. */
export function petIdOf({ _id }: StoredPet): bigint | undefined {
  const id = int64Of(_id);
  return id !== undefined && id > 0n ? id : undefined;
}

/** Accepts integers that another program stored as int32 or as whole doubles. */
export function toPet(document: StoredPet): Pet {
  const id = petIdOf(document);
  if (id === undefined) throw malformed(document, `_id ${PET_ID_RULE}`);
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  for (const member of PET_MEMBER_NAMES) members[member] = int64Of(document[member]) ?? document[member];
  const newPet = members as NewPet;
  const faults = faultsOfNewPet(newPet);
  if (faults.length > 0) throw malformed(document, messageOfFaults(faults));
  return makePet(id, newPet);
}

export function toPetRecord(document: StoredPet): PetRecord {
  const pet = toPet(document);
  const { digest } = document;
  if (digest === undefined) return { pet };
  if (!Buffer.isBuffer(digest) || digest.length !== 32) {
    throw malformed(document, 'digest must be the 32 bytes of a SHA-256');
  }
  return { pet, idempotencyDigest: digest.toString('hex') };
}

function malformed({ _id }: StoredPet, rule: string): MalformedDocumentError {
  return new MalformedDocumentError(COLLECTIONS.pets, _id, rule);
}

/** For logs: in one line, and not too long. */
function describeId(id: unknown): string {
  const text = int64Of(id)?.toString() ?? inspect(id, { breakLength: Infinity, depth: 2 });
  return `{ _id: ${text.slice(0, 100)} }`;
}
