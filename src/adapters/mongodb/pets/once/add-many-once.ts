import { Binary } from 'mongodb';
import { hash } from 'node:crypto';
import { replayCreation, type PetCreation } from '../../../../domain/idempotency-key.js';
import type { NewPetOnce } from '../../../../domain/pet-catalogue.js';
import { isSamePet, makePet, type Pet } from '../../../../domain/pet.js';
import { int64Of } from '../../collections.js';
import type { OperationLimits } from '../../operation.js';
import { documentsById, insertAll, type PetCollections } from '../batches.js';
import { toPet, toPetDocument, type PetDocument } from '../pet-document.js';
import { isSame, markOf, type ReservationDocument } from './mongo-reservation.js';

/** What {@link addManyOnce} needs in addition. */
export interface AddManyOnceOptions {
  /** Returns an id that no animal has, as far as is known. */
  readonly nextId: () => bigint | Promise<bigint>;
  /** Called with an id of `nextId` that turned out to be taken. */
  readonly reportTaken: (id: bigint) => void;
  /** Stores an animal by the whole protocol of `addOnce`. */
  readonly addOnce: (creation: NewPetOnce) => Promise<PetCreation>;
}

/** How many animals go through the whole protocol concurrently. */
const ADD_ONCE_AT_ONCE = 32;

/**
 * Takes the steps of `addOnce` (ADR 70) for many animals together: reserve (a), look for the animals of keys that were reserved
 * before (b, c), and store the animals that this call reserved (d). An animal for which that is not enough, such as one whose id
 * is taken, goes through the whole protocol alone. That may follow any of the steps, because each of its rounds starts again from the beginning.
 */
export async function addManyOnce(
  collections: PetCollections,
  creations: readonly NewPetOnce[],
  { nextId, reportTaken, addOnce }: AddManyOnceOptions,
  limits: OperationLimits,
): Promise<PetCreation[]> {
  const digests = creations.map(({ idempotencyKey }) => new Binary(hash('sha256', idempotencyKey, 'buffer')));
  const pets: Pet[] = [];
  for (const { newPet } of creations) pets.push(makePet(await nextId(), newPet));
  const at = new Date();
  const documents = pets.map(toPetDocument);
  const reservations = documents.map((pet, i): ReservationDocument => ({ _id: digests[i] as Binary, pet, at }));
  const results: (PetCreation | undefined)[] = creations.map(() => undefined);

  const reserved = await reservedAt(await insertAll(collections.db, 'creations', reservations, limits));
  // A reservation with the id that this call was given is its own: an answer was lost, and the insert was sent again.
  const older = new Map([...reserved].filter(([place, pet]) => pet?.id !== pets[place]?.id));
  for (const [place, pet] of await standingAt(older)) results[place] = pet;

  const mine = [...pets.keys()].filter((place) => !older.has(place));
  const isTaken = new Set(await storeMine());
  for (const place of mine) {
    const pet = pets[place] as Pet;
    if (isTaken.has(place)) reportTaken(pet.id);
    else results[place] = { pet, replayed: false };
  }

  const left = [...results.keys()].filter((place) => results[place] === undefined);
  for (let i = 0; i < left.length; i += ADD_ONCE_AT_ONCE) {
    await Promise.all(
      left.slice(i, i + ADD_ONCE_AT_ONCE).map(async (place) => {
        const { pet, replayed } = await addOnce(creations[place] as NewPetOnce);
        // The reservation of this call decided the animal, so this call is the first.
        results[place] = { pet, replayed: replayed && older.has(place) };
      }),
    );
  }
  return results as PetCreation[];

  /** The animals of the reservations of these places; `undefined` for one that is not durable. */
  async function reservedAt(places: readonly number[]): Promise<Map<number, Pet | undefined>> {
    const ids = places.map((place) => digests[place] as Binary);
    const found = new Map(
      (await documentsById(collections.db, 'creations', ids, limits)).map(({ _id, pet }) => [
        Buffer.from(_id as Uint8Array).toString('hex'),
        toPet(pet as object),
      ]),
    );
    return new Map(places.map((place) => [place, found.get((digests[place] as Binary).toString('hex'))]));
  }

  /** The replays of reservations whose animals are durable, with the marks of their keys. */
  async function standingAt(reservations: ReadonlyMap<number, Pet | undefined>): Promise<Map<number, PetCreation>> {
    const ids = [...reservations.values()].flatMap((pet) => pet?.id ?? []);
    const standing = new Map(
      (await documentsById(collections.db, 'pets', ids, limits)).map((each) => [int64Of(each['_id']), each]),
    );
    const replays = new Map<number, PetCreation>();
    for (const [place, pet] of reservations) {
      if (pet === undefined) continue;
      const replay = replayCreation(pet, (creations[place] as NewPetOnce).newPet);
      const document = standing.get(pet.id);
      const isOurs =
        document !== undefined &&
        isSame(document['once'], markOf(digests[place] as Binary)) &&
        isSamePet(toPet(document), pet);
      if (isOurs) replays.set(place, replay);
    }
    return replays;
  }

  /** Stores the animals that this call reserved. Resolves to the places of those whose id is taken. */
  async function storeMine(): Promise<number[]> {
    if (mine.length === 0) return [];
    // The mark is added to the document, which has been sent: each copy would have a hidden class of its own, in V8's old space.
    const marked = mine.map((place) =>
      Object.assign(documents[place] as PetDocument, { once: markOf(digests[place] as Binary) }),
    );
    return (await insertAll(collections.db, 'pets', marked, limits)).map((i) => mine[i] as number);
  }
}
