import type { Binary } from 'mongodb';
import { inspect } from 'node:util';
import { isPetStatus, type PetStatus } from '../../../domain/pet-status.js';
import { makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../../domain/pet.js';
import { int64Of } from '../collections.js';

/** An animal as it is stored: its id is the document's `_id`, and every integer is a BSON int64. */
export interface PetDocument {
  readonly _id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
  /** The mark of `addOnce`: the SHA-256 of the text under which it stored the animal. Only `addOnce` reads it. */
  readonly once?: Binary;
}

/** A document that another program wrote, and that this adapter cannot read. `message` names it and says what is wrong. */
export class MalformedDocumentError extends Error {
  override readonly name = 'MalformedDocumentError';

  constructor(collection: string, id: unknown, rule: string) {
    super(`the document ${describeId(id)} of the collection ${collection} is malformed: ${rule}`);
  }
}

/** The document of an animal. Copies its members one by one, in half the time of a spread. */
export function toPetDocument(pet: Pet): PetDocument {
  const document: Partial<Record<keyof PetDocument, unknown>> = { _id: pet.id };
  for (const member of PET_MEMBER_NAMES) {
    const value = pet[member];
    if (value !== undefined) document[member] = value;
  }
  return document as PetDocument;
}

/**
 * The animal of a document. Integers that another program stored as int32 or as whole doubles are accepted too.
 *
 * @throws MalformedDocumentError
 */
export function toPet({ _id, name, categoryId, status }: Readonly<Partial<Record<keyof PetDocument, unknown>>>): Pet {
  const malformed = (rule: string) => new MalformedDocumentError('pets', _id, rule);
  const id = int64Of(_id);
  const category = int64Of(categoryId);
  if (id === undefined) throw malformed('_id must be an int64');
  if (typeof name !== 'string') throw malformed('name must be a string');
  if (category === undefined) throw malformed('categoryId must be an int64');
  if (status === undefined) return makePet(id, { name, categoryId: category });
  if (!isPetStatus(status)) throw malformed('status must be one of those of an animal, or be left out');
  return makePet(id, { name, categoryId: category, status } satisfies NewPet);
}

/** A document's id, of any BSON type, as it may stand in a log: in one line, and not too long. */
function describeId(id: unknown): string {
  const text = int64Of(id)?.toString() ?? inspect(id, { breakLength: Infinity, depth: 2 });
  return `{ _id: ${text.slice(0, 100)} }`;
}
