import { BSON } from 'mongodb';
import { PET_STATUSES, type PetStatus } from '../../../domain/pet-status.js';
import { makePet, type Pet } from '../../../domain/pet.js';
import { toPet } from './pet-document.js';

/** How the package `bson` reads a document: int64 as `bigint`, binary as `Buffer`; text that is not UTF-8 is an error. */
const READ_BY_BSON = { useBigInt64: true, promoteBuffers: true, validation: { utf8: true } } as const;

const INT32_LENGTH = 4;
const INT64_LENGTH = 8;

/** The elements of the document of an animal (bsonspec.org) as far as they are the same in each: type, name, NUL. */
const ID = Buffer.from('\x12_id\0');
const NAME = Buffer.from('\x02name\0');
const CATEGORY_ID = Buffer.from('\x12categoryId\0');
/** The whole element: the text has its length, NUL included, before it. */
const STATUSES: readonly (readonly [PetStatus, Buffer])[] = PET_STATUSES.map((status) => [
  status,
  Buffer.from(`\x02status\0${String.fromCharCode(status.length + 1)}\0\0\0${status}\0`),
]);
/** Sixteen bytes of binary data of the generic subtype, which follow. */
const ONCE = Buffer.from('\x05once\0\x10\0\0\0\0');
const ONCE_LENGTH = ONCE.length + 16;

/** The character that replaces bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * The animals of BSON documents.
 *
 * Reads the documents that this adapter writes by itself, because that takes a fraction of the time that the package `bson`
 * takes. Leaves every other document to `bson` and {@link toPet}: with other members, in another order, or of other types.
 *
 * @throws MalformedDocumentError for a document that is not an animal.
 */
export function toPets(documents: readonly Buffer[]): Pet[] {
  const reader = new PetReader();
  return documents.map((bytes) => reader.read(bytes) ?? toPet(BSON.deserialize(bytes, READ_BY_BSON)));
}

/** The animals of those BSON documents that this adapter writes by itself; of no other. */
export function readOwnPets(documents: readonly Buffer[]): Pet[] {
  const reader = new PetReader();
  return documents.flatMap((bytes) => reader.read(bytes) ?? []);
}

/** Reads animals from documents of one form. The documents of an answer lie in one buffer, so they share a `DataView`. */
class PetReader {
  #view = new DataView<ArrayBufferLike>(new ArrayBuffer(0));

  /** The animal of a document as this adapter writes it. @returns `undefined` if the document is any other. */
  read(bytes: Buffer): Pet | undefined {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const view = this.#view;
    const start = bytes.byteOffset;
    const end = bytes.length - 1;

    const idAt = INT32_LENGTH + ID.length;
    const nameAt = idAt + INT64_LENGTH;
    const textAt = nameAt + NAME.length + INT32_LENGTH;
    if (end < textAt || view.getInt32(start, true) !== bytes.length || bytes[end] !== 0) return undefined;
    if (!isAt(bytes, INT32_LENGTH, ID) || !isAt(bytes, nameAt, NAME)) return undefined;

    const textEnd = textAt + view.getInt32(start + textAt - INT32_LENGTH, true) - 1;
    const categoryIdAt = textEnd + 1 + CATEGORY_ID.length;
    const restAt = categoryIdAt + INT64_LENGTH;
    if (textEnd < textAt || restAt > end || bytes[textEnd] !== 0) return undefined;
    if (!isAt(bytes, textEnd + 1, CATEGORY_ID)) return undefined;

    let status: PetStatus | undefined;
    let at = restAt;
    for (const [known, element] of STATUSES) {
      if (!isAt(bytes, restAt, element)) continue;
      status = known;
      at += element.length;
    }
    if (isAt(bytes, at, ONCE)) at += ONCE_LENGTH;
    if (at !== end) return undefined;

    const name = bytes.toString('utf8', textAt, textEnd);
    if (name.includes(REPLACEMENT)) return undefined;
    const categoryId = view.getBigInt64(start + categoryIdAt, true);
    const id = view.getBigInt64(start + idAt, true);
    return makePet(id, status === undefined ? { name, categoryId } : { name, categoryId, status });
  }
}

/** Whether bytes have others at an offset. */
function isAt(bytes: Buffer, offset: number, others: Buffer): boolean {
  for (let i = 0; i < others.length; i++) if (bytes[offset + i] !== others[i]) return false;
  return true;
}
