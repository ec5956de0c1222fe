import type { Collection, Db, Document } from 'mongodb';
import { hash } from 'node:crypto';
import type { CallOptions } from '../../domain/call-options.js';
import { AnimalStoreError } from '../../domain/errors.js';
import type { PetCreation } from '../../domain/idempotency-key.js';
import {
  BATCH_MAX,
  type PetCatalogue,
  type PetPage,
  type PetQuery,
  type PetRecord,
  type RestoreResult,
} from '../../domain/pet-catalogue.js';
import { isSamePet, type NewPet, type Pet } from '../../domain/pet.js';
import { collectionOptions, COLLECTIONS, findDocuments, insertUnlessTaken } from './collections.js';
import { operationSettings, runOperation, type OperationOptions, type OperationSettings } from './operation.js';
import { petIdOf, toPet, toPetDocument, toPetRecord, type PetDocument } from './pet-document.js';
import { PetIdCounter } from './pet-id-counter.js';
import { PetInsertions } from './pet-insertions.js';

const BY_ID = { _id: 1 } as const;
const BY_STATUS = { status: 1, _id: 1 } as const;

/**
 * A {@link PetCatalogue} in the collection `pets` of a MongoDB database, numbered by its collection `counters`. Call
 * `prepareDatabase` before the first use of a database: without its indexes, idempotency keys are not unique.
 *
 * A creation alone takes two round trips, those that arrive together share them, and a read takes one. Any number of processes may
 * share the database. Make one instance for each process.
 *
 * Reads come from the primary. During a network partition this may be a deposed one for some seconds: then they lack what
 * was stored since. A document whose `_id` is not an int64 of 1 or more is no animal. If it has the digest of an idempotency key,
 * creations with this key reject with an error that names it. So does each call that meets a document with a member that breaks a
 * rule.
 */
export class MongoPetCatalogue implements PetCatalogue {
  readonly #db: Db;
  readonly #pets: Collection<PetDocument>;
  readonly #counter: PetIdCounter;
  readonly #insertions: PetInsertions;
  readonly #settings: OperationSettings;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, options: OperationOptions = {}) {
    this.#settings = operationSettings(options);
    this.#db = db;
    this.#pets = db.collection(COLLECTIONS.pets, collectionOptions(this.#settings.deadlineMs));
    this.#counter = new PetIdCounter(db, this.#settings);
    this.#insertions = new PetInsertions(db, this.#counter, this.#settings);
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    return (await this.#create('pets.add', newPet, undefined, options)).pet;
  }

  /** The digest of the key is stored with the animal, in an index that is unique: one insert creates both or neither. */
  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    return this.#create('pets.add_once', newPet, hash('sha256', idempotencyKey, 'buffer'), options);
  }

  #create(
    name: 'pets.add' | 'pets.add_once',
    newPet: NewPet,
    digest: Buffer | undefined,
    options?: CallOptions,
  ): Promise<PetCreation> {
    return runOperation(name, this.#settings, async (call) => this.#insertions.insert(newPet, digest, call), options);
  }

  async list(query: PetQuery, options?: CallOptions): Promise<PetPage> {
    const read = async (): Promise<Pet[]> =>
      (await this.#read({ ...query, limit: query.limit + 1 }, options)).map(toPet);
    const pets = await runOperation('pets.list', this.#settings, read, options);
    if (pets.length <= query.limit) return { pets };
    pets.pop();
    return { pets, next: (pets.at(-1) as Pet).id };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    const find = { find: COLLECTIONS.pets, filter: { _id: id }, limit: 1 };
    const read = async (): Promise<Document[]> => findDocuments(this.#db, find, this.#settings.deadlineMs, options);
    const [document] = await runOperation('pets.find', this.#settings, read, options);
    return document !== undefined && petIdOf(document) !== undefined ? toPet(document) : undefined;
  }

  async *records(after = 0n): AsyncGenerator<PetRecord> {
    let last = after;
    for (;;) {
      const read = async (): Promise<Document[]> => this.#read({ limit: BATCH_MAX, after: last });
      const records = (await runOperation('pets.records', this.#settings, read)).map(toPetRecord);
      yield* records;
      const next = records.at(-1);
      if (next === undefined || records.length < BATCH_MAX) return;
      last = next.pet.id;
    }
  }

  /**
   * Two round trips, and a third one if some of the animals were there. On a standalone server, if a connection is lost, the animals
   * that this call has stored are `unchanged` when it is repeated.
   */
  async restore(records: readonly PetRecord[]): Promise<RestoreResult> {
    return runOperation('pets.restore', this.#settings, async () => {
      await this.#counter.raiseTo(records.at(-1)?.pet.id ?? 0n);
      const documents = records.map(({ pet, idempotencyDigest: digest }) => {
        return toPetDocument(pet.id, pet, digest === undefined ? undefined : Buffer.from(digest, 'hex'));
      });
      const taken = await insertUnlessTaken(this.#pets, documents);
      const conflicts = taken.length === 0 ? [] : await this.#conflicts(records, documents, taken);
      return { restored: records.length - taken.length, unchanged: taken.length - conflicts.length, conflicts };
    });
  }

  async #conflicts(
    records: readonly PetRecord[],
    documents: readonly PetDocument[],
    taken: readonly number[],
  ): Promise<number[]> {
    const refused = taken.map((i) => documents[i] as PetDocument);
    const ids = refused.map(({ _id }) => _id);
    const digests = refused.map(({ digest }) => digest).filter((digest) => digest !== undefined);
    const filter = { $or: [{ _id: { $in: ids } }, { digest: { $in: digests } }] };
    const find = { find: COLLECTIONS.pets, filter, limit: ids.length + digests.length };
    const found = await findDocuments(this.#db, find, this.#settings.deadlineMs);
    const stored = found.filter((document) => petIdOf(document) !== undefined).map(toPetRecord);
    const byId = new Map(stored.map((record) => [record.pet.id, record]));
    // Also those of documents that are no animals.
    const storedDigests = new Set(
      found.map(({ digest }) => (Buffer.isBuffer(digest) ? digest.toString('hex') : undefined)),
    );
    return taken.filter((i) => {
      const { pet, idempotencyDigest: digest } = records[i] as PetRecord;
      const same = byId.get(pet.id);
      if (same === undefined && (digest === undefined || !storedDigests.has(digest))) {
        const problem = `the id ${pet.id} or its digest is taken by a document that no majority has yet`;
        throw new AnimalStoreError('store_unavailable', problem);
      }
      return (
        same === undefined || !isSamePet(same.pet, pet) || (digest !== undefined && same.idempotencyDigest !== digest)
      );
    });
  }

  async #read({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<Document[]> {
    const { hint, filter } =
      status === undefined ? { hint: BY_ID, filter: {} } : { hint: BY_STATUS, filter: { status } };
    const found: Document[] = [];
    // Only numbers are greater than a number. Those that are no int64 are skipped here.
    let last: unknown = after;
    for (;;) {
      const find = {
        find: COLLECTIONS.pets,
        filter: { ...filter, _id: { $gt: last } },
        sort: BY_ID,
        hint,
        limit: limit - found.length,
      };
      const documents = await findDocuments(this.#db, find, this.#settings.deadlineMs, options);
      for (const document of documents) if (petIdOf(document) !== undefined) found.push(document);
      if (documents.length < find.limit || found.length === limit) return found;
      last = documents.at(-1)?.['_id'];
    }
  }
}
