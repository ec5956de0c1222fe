import type { Binary } from 'mongodb';
import { replayCreation, type PetCreation } from '../../../../domain/idempotency-key.js';
import type { NewPetOnce } from '../../../../domain/pet-catalogue.js';
import { makePet, type Pet } from '../../../../domain/pet.js';
import type { OperationLimits } from '../../operation.js';
import { creationsByDigest, insertAll, petsById, type PetCollections } from '../batches.js';
import { toPet, toPetDocument, type PetDocument } from '../pet-document.js';
import { digestOf, isMarkedAs } from './mongo-reservation.js';

/** What {@link addManyOnce} needs in addition. */
export interface AddManyOnceOptions {
  /** Returns an id that no animal has, as far as is known. */
  readonly nextId: () => bigint | Promise<bigint>;
  /** Stores an animal by the whole protocol of `addOnce`. */
  readonly addOnce: (creation: NewPetOnce) => Promise<PetCreation>;
}

/** One creation of the batch, the animal that it stores if its key is new, and its result. */
interface Entry {
  readonly creation: NewPetOnce;
  readonly digest: Binary;
  readonly pet: Pet;
  readonly document: PetDocument;
  result: PetCreation | undefined;
}

/** How many animals go through the whole protocol concurrently. */
const ADD_ONCE_AT_ONCE = 32;

/**
 * Takes the steps of `addOnce` (ADR 70) for many animals together: reserve (a), look for the animals of keys that were reserved
 * before (b, c), and store the animals that this call reserved (d). An animal for which that is not enough, such as one whose id
 * is taken, goes through the whole protocol alone. That may follow any of the steps, because each of its rounds starts again from the beginning.
 */
export async function addManyOnce(
  { db }: PetCollections,
  creations: readonly NewPetOnce[],
  { nextId, addOnce }: AddManyOnceOptions,
  limits: OperationLimits,
): Promise<PetCreation[]> {
  const entries: Entry[] = [];
  for (const creation of creations) {
    const digest = digestOf(creation.idempotencyKey);
    const next = nextId();
    const pet = makePet(typeof next === 'bigint' ? next : await next, creation.newPet);
    entries.push({ creation, digest, pet, document: toPetDocument(pet), result: undefined });
  }
  const at = new Date();
  const reservations = entries.map(({ digest, document }) => ({ _id: digest, pet: document, at }));
  const taken = (await insertAll(db, 'creations', reservations, limits)).map((place) => entries[place] as Entry);
  const reserved = await creationsByDigest(
    db,
    taken.map(({ digest }) => digest),
    limits,
  );
  /** The entries whose keys were reserved before, with the animals of the reservations; `undefined` for one that is not durable. */
  const older = new Map<Entry, Pet | undefined>();
  for (const entry of taken) {
    const reservation = reserved.get(entry.digest.toString('hex'));
    const pet = reservation && toPet(reservation['pet'] as object);
    // A reservation with the id that this call was given is its own: an answer was lost, and the insert was sent again.
    if (pet?.id !== entry.pet.id) older.set(entry, pet);
  }

  const ids = [...older.values()].flatMap((pet) => pet?.id ?? []);
  const standing = await petsById(db, ids, limits);
  for (const [entry, pet] of older) {
    if (pet === undefined) continue;
    const replay = replayCreation(pet, entry.creation.newPet);
    const document = standing.get(pet.id);
    if (document !== undefined && isMarkedAs(document, pet, entry.digest)) entry.result = replay;
  }

  const mine = entries.filter((entry) => !older.has(entry));
  // The mark is added to the document, which has been sent: each copy would have a hidden class of its own, in V8's old space.
  const marked = mine.map(({ document, digest }) => Object.assign(document, { once: digest }));
  const isTaken = new Set(await insertAll(db, 'pets', marked, limits));
  for (const [i, entry] of mine.entries()) {
    if (!isTaken.has(i)) entry.result = { pet: entry.pet, replayed: false };
  }

  const left = entries.filter(({ result }) => result === undefined);
  for (let i = 0; i < left.length; i += ADD_ONCE_AT_ONCE) {
    const group = left.slice(i, i + ADD_ONCE_AT_ONCE).map(async (entry) => {
      const { pet, replayed } = await addOnce(entry.creation);
      // The reservation of this call decided the animal, so this call is the first.
      entry.result = { pet, replayed: replayed && older.has(entry) };
    });
    await Promise.all(group);
  }
  return entries.map(({ result }) => result as PetCreation);
}
