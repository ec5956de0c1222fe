import { Binary, type Collection, type Document } from 'mongodb';
import { hash } from 'node:crypto';
import { isSamePet, type Pet } from '../../../../domain/pet.js';
import { insertIfFree } from '../../collections.js';
import type { OperationLimits } from '../../operation.js';
import type { Reservation } from './add-once.js';
import { toPet, toPetDocument, type PetDocument } from '../pet-document.js';

/** A reservation: which animal a text stands for. It expires by an index on `at`. */
export interface ReservationDocument {
  /** The SHA-256 of the text. */
  readonly _id: Binary;
  readonly pet: PetDocument;
  /** When the reservation was made, or last renewed, by the clock of a process. */
  readonly at: Date;
}

/** A {@link Reservation} in the collections `creations` and `pets` of a MongoDB database. */
export class MongoReservation implements Reservation {
  readonly #creations: Collection<ReservationDocument>;
  readonly #pets: Collection<PetDocument>;
  readonly #digest: Binary;
  readonly #limits: OperationLimits;

  /** @param collections Both with the options of `collectionOptions`: durable writes, and reads of what is durable. */
  constructor(
    collections: { readonly creations: Collection<ReservationDocument>; readonly pets: Collection<PetDocument> },
    idempotencyKey: string,
    limits: OperationLimits,
  ) {
    this.#creations = collections.creations;
    this.#pets = collections.pets;
    this.#digest = digestOf(idempotencyKey);
    this.#limits = limits;
  }

  async reserve(pet: Pet): Promise<boolean> {
    return insertIfFree(
      this.#creations,
      { _id: this.#digest, pet: toPetDocument(pet), at: new Date() },
      this.#limits.startCall(),
    );
  }

  async reserved(): Promise<Pet | undefined> {
    const document = await this.#creations.findOne({ _id: this.#digest }, this.#limits.startCall());
    return document === null ? undefined : toPet(document.pet);
  }

  async renew(id: bigint): Promise<boolean> {
    const renewal = { $max: { at: new Date() } };
    const { matchedCount } = await this.#creations.updateOne(this.#withId(id), renewal, this.#limits.startCall());
    return matchedCount === 1;
  }

  async move(from: bigint, to: bigint): Promise<void> {
    await this.#creations.updateOne(this.#withId(from), { $set: { 'pet._id': to } }, this.#limits.startCall());
  }

  async store(pet: Pet): Promise<boolean> {
    return insertIfFree(this.#pets, { ...toPetDocument(pet), once: this.#digest }, this.#limits.startCall());
  }

  async standing(pet: Pet): Promise<'ours' | 'foreign' | 'none'> {
    const document = await this.#pets.findOne({ _id: pet.id }, this.#limits.startCall());
    if (document === null) return 'none';
    return isMarkedAs(document, pet, this.#digest) ? 'ours' : 'foreign';
  }

  #withId(id: bigint): { _id: Binary; 'pet._id': bigint } {
    return { _id: this.#digest, 'pet._id': id };
  }
}

/** The SHA-256 of a text in UTF-8. By way of a string, because a buffer from `hash` has memory of its own, which takes twice as long. */
export function digestOf(text: string): Binary {
  return new Binary(Buffer.from(hash('sha256', text, 'binary'), 'binary'));
}

/** Whether a document of `pets` is this animal, with the mark of the key that has this digest. */
export function isMarkedAs(document: Document, pet: Pet, digest: Binary): boolean {
  return isSame(document['once'], digest) && isSamePet(toPet(document), pet);
}

/** Whether a value of a document is these bytes. */
export function isSame(value: unknown, { buffer }: Binary): boolean {
  const bytes = value instanceof Binary ? value.buffer : value;
  return bytes instanceof Uint8Array && Buffer.compare(bytes, buffer) === 0;
}
