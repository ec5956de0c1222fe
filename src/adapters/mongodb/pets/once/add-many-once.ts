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

  const reservedBefore = await insertAll(collections.creations, reservations, limits);
  for (const [place, pet] of await standingAt(reservedBefore)) results[place] = pet;

  const isOlder = new Set(reservedBefore);
  const mine = [...pets.keys()].filter((place) => !isOlder.has(place));
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
        results[place] = { pet, replayed: replayed && isOlder.has(place) };
      }),
    );
  }
  return results as PetCreation[];

  /** The animals of reservations that were there before, by their places, as far as both are durable. */
  async function standingAt(places: readonly number[]): Promise<[place: number, creation: PetCreation][]> {
    const found = await documentsById(
      collections.db,
      'creations',
      places.map((place) => digests[place] as Binary),
      limits,
    );
    const reserved = new Map(
      found.map(({ _id, pet }) => [Buffer.from(_id as Uint8Array).toString('hex'), toPet(pet as object)]),
    );
    const reservedAt = places.flatMap((place) => {
      const pet = reserved.get((digests[place] as Binary).toString('hex'));
      return pet === undefined ? [] : [{ place, pet }];
    });
    const ids = reservedAt.map(({ pet }) => pet.id);
    const standing = new Map(
      (await documentsById(collections.db, 'pets', ids, limits)).map((each) => [int64Of(each['_id']), each]),
    );
    return reservedAt.flatMap(({ place, pet }) => {
      const replay = replayCreation(pet, (creations[place] as NewPetOnce).newPet);
      const document = standing.get(pet.id);
      const isOurs =
        document !== undefined &&
        isSame(document['once'], markOf(digests[place] as Binary)) &&
        isSamePet(toPet(document), pet);
      return isOurs ? [[place, replay] as [number, PetCreation]] : [];
    });
  }

  /** Stores the animals that this call reserved. Resolves to the places of those whose id is taken. */
  async function storeMine(): Promise<number[]> {
    if (mine.length === 0) return [];
    const marked = mine.map((place) => ({
      ...(documents[place] as PetDocument),
      once: markOf(digests[place] as Binary),
    }));
    return (await insertAll(collections.pets, marked, limits)).map((i) => mine[i] as number);
  }
}
