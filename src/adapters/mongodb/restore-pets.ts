import type { Collection, Db } from 'mongodb';
import type { PetRecord, RestoreResult } from '../../domain/pet-catalogue.js';
import { isSamePet } from '../../domain/pet.js';
import { COLLECTIONS, findDocuments, insertUnlessTaken } from './collections.js';
import { storeUnavailable } from './errors.js';
import { hexOf, petIdOf, toPetDocument, toPetRecord, type PetDocument } from './pet-document.js';

/** Stores animals under their own ids, with their digests. The caller has raised the counter of the ids before. */
export async function restorePets(
  db: Db,
  pets: Collection<PetDocument>,
  records: readonly PetRecord[],
  deadlineMs: number,
): Promise<RestoreResult> {
  const documents = records.map(({ pet, once }) => toPetDocument(pet.id, pet, bytesOf(once)));
  const taken = await insertUnlessTaken(pets, documents);
  if (taken.length === 0) return { restored: records.length, unchanged: 0, conflicts: [] };

  const refused = taken.map((i) => documents[i] as PetDocument);
  const ids = refused.map(({ _id }) => _id);
  const digests = refused.map(({ once }) => once).filter((once) => once !== undefined);
  const filter = { $or: [{ _id: { $in: ids } }, { once: { $in: digests } }] };
  const limit = ids.length + digests.length;
  const found = await findDocuments(db, { find: COLLECTIONS.pets, filter, limit }, deadlineMs);
  const stored = found.filter((document) => petIdOf(document) !== undefined).map(toPetRecord);
  const byId = new Map(stored.map((record) => [record.pet.id, record]));
  // Also those of documents that are no animals.
  const keys = new Set(found.map(({ once }) => (once instanceof Uint8Array ? hexOf(once) : undefined)));

  const conflicts = taken.filter((i) => {
    const { pet, once } = records[i] as PetRecord;
    const same = byId.get(pet.id);
    if (same === undefined && (once === undefined || !keys.has(once))) {
      throw storeUnavailable(new Error(`no majority has what is stored with the id ${pet.id} or its digest`));
    }
    return same === undefined || !isSamePet(same.pet, pet) || (once !== undefined && same.once !== once);
  });
  return { restored: records.length - taken.length, unchanged: taken.length - conflicts.length, conflicts };
}

function bytesOf(once: string | undefined): Uint8Array | undefined {
  return once === undefined ? undefined : Buffer.from(once, 'hex');
}
