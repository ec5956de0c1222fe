import { Binary, type Db, type Document } from 'mongodb';
import type { CreationRecord } from '../../../domain/idempotency-key.js';
import type { Restoration } from '../../../domain/pet-catalogue.js';
import { isSamePet } from '../../../domain/pet.js';
import { int64Of } from '../collections.js';
import type { OperationLimits } from '../operation.js';
import { storeUnavailable } from '../unavailable-errors.js';
import { documentsById, insertAll, type PetCollections } from './batches.js';
import { isSame, markOf, type ReservationDocument } from './once/mongo-reservation.js';
import { toPet, toPetDocument, type PetDocument } from './pet-document.js';

/** Inserts animals under their own ids. The caller has raised the counter of the ids before. */
export async function restorePets(
  { db }: PetCollections,
  pets: readonly PetDocument[],
  limits: OperationLimits,
): Promise<Restoration> {
  const taken = await insertAll(db, 'pets', pets, limits);
  const ids = taken.map((place) => (pets[place] as PetDocument)._id);
  const stored = new Map((await documentsById(db, 'pets', ids, limits)).map((each) => [int64Of(each['_id']), each]));
  const refused = taken.filter((place) => {
    const pet = pets[place] as PetDocument;
    const found = stored.get(pet._id);
    if (found === undefined) throw notDurable();
    return !isSamePet(toPet(found), toPet(pet));
  });
  return { restored: pets.length - taken.length, present: taken.length - refused.length, refused };
}

/**
 * Stores reservations. Each animal gets the mark of its key before: `addOnce` takes an animal without it for a stranger.
 *
 * Refuses a creation, too, whose animal has the mark of another key.
 */
export async function restoreReservations(
  { db, pets }: PetCollections,
  creations: readonly CreationRecord[],
  limits: OperationLimits,
): Promise<Restoration> {
  const digests = creations.map(({ sha256 }) => new Binary(Buffer.from(sha256, 'hex')));
  const animals = await documentsById(db, 'pets', [...new Set(creations.map(({ petId }) => petId))], limits);
  const animalById = new Map(animals.map((each) => [int64Of(each['_id']), each]));
  const owners = await ownersOf(db, digests, limits);
  const refused: number[] = [];
  const missing: number[] = [];
  for (const [i, { sha256, petId }] of creations.entries()) {
    const animal = animalById.get(petId);
    const owner = owners.get(sha256);
    const mark = (animal as { readonly once?: unknown } | undefined)?.once;
    const isMarkedByOther = mark !== undefined && !isSame(mark, markOf(digests[i] as Binary));
    if (animal === undefined || (owner === undefined ? isMarkedByOther : owner !== petId)) refused.push(i);
    else if (owner === undefined) missing.push(i);
  }
  let taken: readonly number[] = [];
  if (missing.length > 0) {
    const marks = missing.map((i) => ({
      updateOne: {
        filter: { _id: (creations[i] as CreationRecord).petId },
        update: { $set: { once: markOf(digests[i] as Binary) } },
      },
    }));
    await pets.bulkWrite(marks, { ordered: false, ...limits.startCall() });
    const documents = missing.map((i): ReservationDocument => {
      const { petId, at } = creations[i] as CreationRecord;
      return { _id: digests[i] as Binary, pet: toPetDocument(toPet(animalById.get(petId) as Document)), at };
    });
    taken = (await insertAll(db, 'creations', documents, limits)).map((place) => missing[place] as number);
  }
  if (taken.length > 0) {
    // Another call has stored these in the meantime.
    const now = await ownersOf(db, digests, limits);
    for (const i of taken) {
      const { sha256, petId } = creations[i] as CreationRecord;
      if (!now.has(sha256)) throw notDurable();
      if (now.get(sha256) !== petId) refused.push(i);
    }
    refused.sort((one, other) => one - other);
  }
  const restored = missing.length - taken.length;
  return { restored, present: creations.length - restored - refused.length, refused };
}

/** The creation that a document holds. */
export function creationOf({ _id, pet, at }: Document): CreationRecord {
  const petId = int64Of((pet as Document)['_id']) ?? 0n;
  return { sha256: Buffer.from(_id as Uint8Array).toString('hex'), petId, at: at as Date };
}

/** The ids of the animals that keys belong to, by the SHA-256 of the keys in hexadecimal digits. */
async function ownersOf(db: Db, digests: readonly Binary[], limits: OperationLimits): Promise<Map<string, bigint>> {
  const documents = await documentsById(db, 'creations', digests, limits);
  return new Map(documents.map(creationOf).map(({ sha256, petId }) => [sha256, petId]));
}

/** The error for an id that is taken by something that no majority has yet. */
function notDurable(): Error {
  return storeUnavailable(new Error('what has the id is not durable yet'));
}
