import {
  MongoBulkWriteError,
  type Binary,
  type Collection,
  type Db,
  type Document,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import { isDuplicateKey } from '../collections.js';
import type { OperationLimits } from '../operation.js';
import { storeUnavailable } from '../unavailable-errors.js';
import type { ReservationDocument } from './once/mongo-reservation.js';
import type { PetDocument } from './pet-document.js';
import { readDocuments } from './read-documents.js';

/** The collections of a catalogue, with the options of `collectionOptions`. */
export interface PetCollections {
  readonly db: Db;
  readonly pets: Collection<PetDocument>;
  readonly creations: Collection<ReservationDocument>;
}

/** Inserts documents. Resolves to the places of those whose `_id` is taken. */
export async function insertAll<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  documents: readonly T[],
  limits: OperationLimits,
): Promise<number[]> {
  try {
    const options = { ordered: false, ...limits.startCall() };
    await collection.insertMany(documents as readonly OptionalUnlessRequiredId<T>[], options);
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const failures = [error.writeErrors].flat();
    if (failures.some(({ code }) => code !== 11000)) throw error;
    const unconfirmed = error.result.getWriteConcernError();
    if (unconfirmed !== undefined) throw storeUnavailable(unconfirmed);
    return failures.map(({ index }) => index).sort((one, other) => one - other);
  }
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
