import { Binary, type Db, type Document, type Filter } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from '../../../domain/call-options.js';
import type { CreationRecord, PetCreation } from '../../../domain/idempotency-key.js';
import type { NewPetOnce, PetCatalogue, PetPage, PetQuery, Restoration } from '../../../domain/pet-catalogue.js';
import { makePet, type NewPet, type Pet } from '../../../domain/pet.js';
import { collectionOptions, isDuplicateKey } from '../collections.js';
import { CREATIONS_BY_AGE, makeIndexes, PETS_BY_STATUS } from '../schema/indexes.js';
import {
  checkIntegers,
  DEFAULT_DEADLINE_MS,
  type OperationLimits,
  type MongoOperationName,
  type OperationOptions,
  type OperationSettings,
  runOperation,
} from '../operation.js';
import type { PetCollections } from './batches.js';
import { addManyOnce } from './once/add-many-once.js';
import { addOnce } from './once/add-once.js';
import { MongoReservation } from './once/mongo-reservation.js';
import { toPet, toPetDocument, type PetDocument } from './pet-document.js';
import { PetIdCounter } from './pet-id-counter.js';
import { PetIds } from './pet-ids.js';
import { readDocuments, type Find } from './read-documents.js';
import { creationOf, restorePets, restoreReservations } from './restore.js';
import { mayRetryAtOnce } from '../unavailable-errors.js';

/** The options of a {@link MongoPetCatalogue}. */
export interface MongoPetCatalogueOptions extends OperationOptions {
  /**
   * How many ids a process reserves at first, at most 10,000. Later blocks grow with the rate of creations. Ids that a
   * process has reserved and not used when it ends are gaps. @default 100
   */
  readonly idBlockSize?: number;
}

const ID_TRIES = 5;
/** How many creations are read at a time. */
const CREATIONS_AT_ONCE = 500;
/** How long a creation waits before it looks again at what other calls do with the same text, in milliseconds. */
const PAUSE_MS = 20;
const BY_ID = { _id: 1 } as const;

/**
 * A {@link PetCatalogue} in the collection `pets` of a MongoDB database, numbered by its collection `counters`. Its
 * collection `creations` remembers what `addOnce` stored.
 *
 * Each operation but `addOnce` is one round trip. Ids are reserved ahead in blocks; only the first creation of a process, and the
 * first one after five seconds without any, waits for the counter. Any number of processes may share the database. An instance gives
 * ids in the order of its calls, so make one instance for each process.
 *
 * Reads come from the primary. During a network partition this may be a deposed one for some seconds: then they lack what
 * was stored since. A creation that ended in `store_unavailable` may or may not be stored. A document that another program wrote and that
 * is not an animal makes `list` and `find` reject with an error that names it.
 */
export class MongoPetCatalogue implements PetCatalogue {
  readonly #collections: PetCollections;
  readonly #ids: PetIds;
  readonly #options: OperationSettings;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for a number that is not an integer of at least 1.
   */
  constructor(db: Db, options: MongoPetCatalogueOptions = {}) {
    const { deadlineMs = DEFAULT_DEADLINE_MS, idBlockSize = 100, observe } = options;
    checkIntegers({ deadlineMs, idBlockSize });
    this.#collections = {
      db,
      pets: db.collection('pets', collectionOptions(deadlineMs)),
      creations: db.collection('creations', collectionOptions(deadlineMs)),
    };
    this.#options = { deadlineMs, observe };
    const counter = new PetIdCounter(db, this.#collections.pets, this.#options);
    this.#ids = new PetIds(counter, { blockSize: idBlockSize, ...this.#options });
  }

  /**
   * Makes the indexes that lists by status and `addOnce` need, if no index has their key pattern yet. Call it before the first
   * use of a database; any number of calls is fine. It takes as long as the server takes to build the indexes.
   */
  async init(): Promise<void> {
    await makeIndexes(this.#collections.db, [PETS_BY_STATUS, CREATIONS_BY_AGE], this.#options.deadlineMs);
  }

  add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    const kept = makePet(0n, newPet);
    const insert = async (limits: OperationLimits): Promise<Pet> => {
      for (let tried = 1; ; tried++) {
        const pet = makePet(await this.#ids.next(limits), kept);
        try {
          await this.#collections.pets.insertOne(toPetDocument(pet), limits.startCall());
          return pet;
        } catch (error) {
          if (!isDuplicateKey(error) || tried === ID_TRIES) throw error;
          this.#ids.reportTaken(pet.id);
        }
      }
    };
    return this.#run('pets.add', insert, options);
  }

  /** Two round trips, each a write; three if the key belongs to an animal already (ADR 70). */
  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    return this.#run('pets.add_once', async (limits) => this.#addOnce({ newPet, idempotencyKey }, limits), options);
  }

  /** Two round trips, and two more ones if some of the keys belong to animals already (ADR 194). */
  async addManyOnce(creations: readonly NewPetOnce[]): Promise<PetCreation[]> {
    const kept = creations.map(({ newPet, idempotencyKey }) => ({ newPet: makePet(0n, newPet), idempotencyKey }));
    return this.#run('pets.add_many_once', async (limits) =>
      addManyOnce(
        this.#collections,
        kept,
        {
          nextId: () => this.#ids.next(limits),
          addOnce: async (creation) => this.#addOnce(creation, limits),
        },
        limits,
      ),
    );
  }

  async list({ limit, status, after }: PetQuery, options?: CallOptions): Promise<PetPage> {
    const filter: Filter<PetDocument> = {
      ...(status !== undefined && { status: { $eq: status } }),
      ...(after !== undefined && { _id: { $gt: after } }),
    };
    const hint = status === undefined ? BY_ID : PETS_BY_STATUS.key;
    const find = { filter, sort: BY_ID, hint, limit: limit + 1 };
    const documents = await this.#read('pets.list', 'pets', find, options);
    const pets = documents.slice(0, limit).map(toPet);
    const last = pets.at(-1);
    return last !== undefined && documents.length > limit ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    const find = { filter: { _id: id }, limit: 1 };
    const [document] = await this.#read('pets.find', 'pets', find, options);
    return document === undefined ? undefined : toPet(document);
  }

  /**
   * Two round trips, and a third one if some of the animals were there. If an answer of the database is lost, animals that this
   * call itself has stored count as `present`. If another process may hold reserved ids that are not
   * greater, waits up to six seconds, in which it discards them (ADR 203).
   */
  async restore(pets: readonly Pet[]): Promise<Restoration> {
    const documents = pets.map(toPetDocument);
    const greatest = documents.at(-1)?._id ?? 0n;
    let othersFollowAt = -Infinity;
    const restoration = await this.#run('pets.restore', async (limits) => {
      othersFollowAt = await this.#ids.skipTo(greatest, limits);
      return restorePets(this.#collections, documents, limits);
    });
    const leftMs = othersFollowAt - performance.now();
    if (leftMs > 0) await delay(leftMs);
    return restoration;
  }

  async *listCreations(): AsyncGenerator<CreationRecord> {
    let filter = {};
    let documents: Document[];
    do {
      const find = { filter, sort: BY_ID, hint: BY_ID, limit: CREATIONS_AT_ONCE };
      documents = await this.#read('creations.list', 'creations', find);
      yield* documents.map(creationOf);
      filter = { _id: { $gt: new Binary((documents.at(-1)?.['_id'] ?? Buffer.alloc(0)) as Uint8Array) } };
    } while (documents.length === CREATIONS_AT_ONCE);
  }

  async restoreCreations(creations: readonly CreationRecord[]): Promise<Restoration> {
    return this.#run('creations.restore', async (limits) => restoreReservations(this.#collections, creations, limits));
  }

  #addOnce({ newPet, idempotencyKey }: NewPetOnce, limits: OperationLimits): Promise<PetCreation> {
    return addOnce(new MongoReservation(this.#collections, idempotencyKey, limits), newPet, {
      nextId: async () => this.#ids.next(limits),
      reportTaken: (id) => this.#ids.reportTaken(id),
      isLost: mayRetryAtOnce,
      async pause() {
        await delay(PAUSE_MS);
        limits.signal.throwIfAborted();
      },
    });
  }

  #read(name: MongoOperationName, collection: string, find: Find, options?: CallOptions): Promise<Document[]> {
    return this.#run(name, (limits) => readDocuments(this.#collections.db, collection, find, limits), options);
  }

  #run<T>(
    name: MongoOperationName,
    operate: (limits: OperationLimits) => Promise<T>,
    options?: CallOptions,
  ): Promise<T> {
    return runOperation({ name }, this.#options, operate, options);
  }
}
