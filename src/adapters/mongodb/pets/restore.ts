import { Binary, type Document } from 'mongodb';
import type { CreationRecord } from '../../../domain/idempotency-key.js';
import type { Restoration } from '../../../domain/pet-catalogue.js';
import { isSamePet } from '../../../domain/pet.js';
import { int64Of } from '../collections.js';
import type { OperationLimits } from '../operation.js';
import { storeUnavailable } from '../unavailable-errors.js';
import { creationsByDigest, insertAll, petsById, type PetCollections } from './batches.js';
import { isSame, type ReservationDocument } from './once/mongo-reservation.js';
import { toPet, toPetDocument, type PetDocument } from './pet-document.js';

/** Inserts animals under their own ids. The caller has raised the counter of the ids before. */
export async function restorePets(
  { db }: PetCollections,
  pets: readonly PetDocument[],
  limits: OperationLimits,
): Promise<Restoration> {
  const taken = await insertAll(db, 'pets', pets, limits);
  const ids = taken.map((place) => (pets[place] as PetDocument)._id);
  const stored = await petsById(db, ids, limits);
  const refused = taken.filter((place) => {
    const pet = pets[place] as PetDocument;
    const found = stored.get(pet._id);
    if (found === undefined) throw notDurable();
    return !isSamePet(toPet(found), toPet(pet));
  });
  return { restored: pets.length - taken.length, present: taken.length - refused.length, refused };
}

/** A reservation that is to be stored, and its place among the creations. */
interface Missing {
  readonly place: number;
  readonly reservation: ReservationDocument;
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
  const animals = await petsById(db, [...new Set(creations.map(({ petId }) => petId))], limits);
  const known = await creationsByDigest(db, digests, limits);
  const refused: number[] = [];
  const missing: Missing[] = [];
  for (const [place, { sha256, petId, at }] of creations.entries()) {
    const digest = digests[place] as Binary;
    const animal = animals.get(petId);
    const reservation = known.get(sha256);
    const isMarkedByOther = animal?.['once'] !== undefined && !isSame(animal['once'], digest);
    const isOfOther = reservation === undefined ? isMarkedByOther : creationOf(reservation).petId !== petId;
    if (animal === undefined || isOfOther) refused.push(place);
    else if (reservation === undefined) {
      missing.push({ place, reservation: { _id: digest, pet: toPetDocument(toPet(animal)), at } });
    }
  }
  if (missing.length === 0) return { restored: 0, present: creations.length - refused.length, refused };

  const marks = missing.map(({ reservation: { _id: once, pet } }) => ({
    updateOne: { filter: { _id: pet._id }, update: { $set: { once } } },
  }));
  await pets.bulkWrite(marks, { ordered: false, ...limits.startCall() });
  const reservations = missing.map(({ reservation }) => reservation);
  const taken = (await insertAll(db, 'creations', reservations, limits)).map((i) => missing[i] as Missing);
  // Another call has stored these in the meantime.
  const others = await creationsByDigest(
    db,
    taken.map(({ reservation }) => reservation._id),
    limits,
  );
  for (const { place, reservation } of taken) {
    const other = others.get(reservation._id.toString('hex'));
    if (other === undefined) throw notDurable();
    if (creationOf(other).petId !== reservation.pet._id) refused.push(place);
  }
  refused.sort((one, other) => one - other);
  const restored = missing.length - taken.length;
  return { restored, present: creations.length - restored - refused.length, refused };
}

/** The creation that a document holds. */
export function creationOf({ _id, pet, at }: Document): CreationRecord {
  const petId = int64Of((pet as Document)['_id']) ?? 0n;
  return { sha256: Buffer.from(_id as Uint8Array).toString('hex'), petId, at: at as Date };
}

/** The error for an id that is taken by something that no majority has yet. */
function notDurable(): Error {
  return storeUnavailable(new Error('what has the id is not durable yet'));
}
