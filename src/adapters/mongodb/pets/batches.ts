import type { Binary, Collection, Db, Document } from 'mongodb';
import { isDuplicateKey } from '../collections.js';
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

/** The documents with some ids, in any order: those that a majority has. */
export async function documentsById(
  db: Db,
  collection: string,
  ids: readonly (bigint | Binary)[],
  limits: OperationLimits,
): Promise<Document[]> {
  if (ids.length === 0) return [];
  return readDocuments(db, collection, { filter: { _id: { $in: ids } }, limit: ids.length }, limits);
}
