import type { Binary, Collection, Db, Document } from 'mongodb';
import { int64Of, isDuplicateKey } from '../collections.js';
import type { OperationLimits } from '../operation.js';
import { storeUnavailable } from '../unavailable-errors.js';
import type { ReservationDocument } from './once/mongo-reservation.js';
import type { PetDocument } from './pet-document.js';
import { readDocuments } from './read-documents.js';
import { runCommand } from './run-command.js';

/** The collections of a catalogue, with the options of `collectionOptions`. */
export interface PetCollections {
  readonly db: Db;
  readonly pets: Collection<PetDocument>;
  readonly creations: Collection<ReservationDocument>;
}

/** What the server answers to an `insert` command that it has run, by MongoDB's manual. */
interface InsertAnswer {
  readonly writeErrors?: readonly { readonly index: number; readonly code: number; readonly errmsg: string }[];
  readonly writeConcernError?: { readonly errmsg: string };
}

/**
 * Inserts at most 1,000 documents by one `insert` command, unordered, durably. Resolves to the places of those whose `_id` is
 * taken, in ascending order. If an answer was lost, they include documents that this call itself has stored.
 */
export async function insertAll(
  db: Db,
  collection: 'pets' | 'creations',
  documents: readonly (PetDocument | ReservationDocument)[],
  limits: OperationLimits,
): Promise<number[]> {
  if (documents.length === 0) return [];
  const writeConcern = { w: 'majority', j: true, wtimeout: limits.startCall().maxTimeMS };
  const command = { insert: collection, documents, ordered: false, writeConcern };
  const { writeErrors = [], writeConcernError } = (await runCommand(
    db,
    command,
    'retryWrites',
    limits,
  )) as InsertAnswer;
  for (const { errmsg, code } of writeErrors) {
    const error = Object.assign(new Error(errmsg), { code });
    if (!isDuplicateKey(error)) throw error;
  }
  // Newer versions of the driver throw it themselves.
  if (writeConcernError !== undefined) throw storeUnavailable(new Error(writeConcernError.errmsg));
  return writeErrors.map(({ index }) => index).sort((one, other) => one - other);
}

/** The documents of `pets` with some ids, by their ids: those that a majority has. */
export async function petsById(
  db: Db,
  ids: readonly bigint[],
  limits: OperationLimits,
): Promise<ReadonlyMap<bigint | undefined, Document>> {
  const found = await documentsById(db, 'pets', ids, limits);
  return new Map(found.map((each) => [int64Of(each['_id']), each]));
}

/** The documents of `creations` with some digests, by the digests in hexadecimal digits: those that a majority has. */
export async function creationsByDigest(
  db: Db,
  digests: readonly Binary[],
  limits: OperationLimits,
): Promise<ReadonlyMap<string, Document>> {
  const found = await documentsById(db, 'creations', digests, limits);
  return new Map(found.map((each) => [Buffer.from(each['_id'] as Uint8Array).toString('hex'), each]));
}

async function documentsById(
  db: Db,
  collection: string,
  ids: readonly (bigint | Binary)[],
  limits: OperationLimits,
): Promise<Document[]> {
  if (ids.length === 0) return [];
  return readDocuments(db, collection, { filter: { _id: { $in: ids } }, limit: ids.length }, limits);
}
