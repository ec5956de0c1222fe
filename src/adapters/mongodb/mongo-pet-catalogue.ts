import type { Collection, Db, Filter } from 'mongodb';
import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { makePet, type NewPet, type Pet } from '../../domain/pet.js';
import { checkOptions, collectionOptions, isDuplicateKey } from './collection-options.js';
import { PetIds } from './pet-ids.js';
import { DEFAULT_DEADLINE_MS, withDeadline } from './store-unavailable.js';

/** An animal as it is stored: its id is the document's `_id`, and every integer a BSON int64. */
export interface PetDocument {
  readonly _id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
}

/** What may be set about a {@link MongoPetCatalogue}. */
export interface MongoPetCatalogueOptions {
  /** After how many milliseconds without an answer an operation rejects with `store_unavailable`. @default 5000 */
  readonly deadlineMs?: number;
  /** How many ids are taken from the counter at once: up to 10,000. What a process does not use is a gap. @default 100 */
  readonly idBlockSize?: number;
}

const INIT_DEADLINE_MS = 30_000;
const ID_TRIES = 5;
const BY_ID = { _id: 1 } as const;
const BY_STATUS_AND_ID = { status: 1, _id: 1 } as const;

/**
 * A {@link PetCatalogue} in the collection `pets` of a MongoDB database, numbered by its collection `counters`.
 *
 * Each operation is one round trip; but a creation in a hundred, which fetches a block of ids before. Any number of
 * processes may share the database. An instance gives ids in the order of its calls, so one process makes one instance.
 * A creation that ended in `store_unavailable` may or may not be stored.
 */
export class MongoPetCatalogue implements PetCatalogue {
  readonly #pets: Collection<PetDocument>;
  readonly #ids: PetIds;
  readonly #deadlineMs: number;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for an option that is not an integer of at least 1.
   */
  constructor(db: Db, { deadlineMs = DEFAULT_DEADLINE_MS, idBlockSize = 100 }: MongoPetCatalogueOptions = {}) {
    checkOptions({ deadlineMs, idBlockSize });
    this.#pets = db.collection('pets', collectionOptions(deadlineMs));
    this.#ids = new PetIds(db, this.#pets, idBlockSize, deadlineMs);
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Makes the index that lists by status need: to be called before the first use of a database, and any number of times
   * later. Rejects with `store_unavailable` where the server does not answer within 30 seconds.
   */
  async init(): Promise<void> {
    await withDeadline(INIT_DEADLINE_MS, async (limits) =>
      this.#pets.createIndex(BY_STATUS_AND_ID, { name: 'status_1__id_1' }, limits),
    );
  }

  async add(newPet: NewPet): Promise<Pet> {
    const kept = makePet(0n, newPet);
    return withDeadline(this.#deadlineMs, async (limits) => {
      for (let tried = 1; ; tried++) {
        const id = await this.#ids.next();
        try {
          await this.#pets.insertOne(toPetDocument(id, kept), limits);
          return makePet(id, kept);
        } catch (error) {
          if (!isDuplicateKey(error) || tried === ID_TRIES) throw error;
          this.#ids.reportTaken(id);
        }
      }
    });
  }

  async list({ limit, status, after }: PetQuery): Promise<PetPage> {
    const filter: Filter<PetDocument> = {
      ...(status !== undefined && { status: { $eq: status } }),
      ...(after !== undefined && { _id: { $gt: after } }),
    };
    const documents = await withDeadline(this.#deadlineMs, async (limits) =>
      this.#pets
        .find(filter, {
          sort: BY_ID,
          hint: status === undefined ? BY_ID : BY_STATUS_AND_ID,
          limit: limit + 1,
          batchSize: limit + 1,
          singleBatch: true,
          ...limits,
        })
        .toArray(),
    );
    const pets = documents.slice(0, limit).map(toPet);
    const last = pets.at(-1);
    return last !== undefined && documents.length > limit ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint): Promise<Pet | undefined> {
    const document = await withDeadline(this.#deadlineMs, async (limits) => this.#pets.findOne({ _id: id }, limits));
    return document === null ? undefined : toPet(document);
  }
}

/** The document of an animal with the id assigned to it. */
function toPetDocument(id: bigint, newPet: NewPet): PetDocument {
  const { id: _id, ...rest } = makePet(id, newPet);
  return { _id, ...rest };
}

/** The animal of a document. Integers that another program stored as int32 are taken too. */
function toPet({ _id, name, categoryId, status }: PetDocument): Pet {
  return makePet(BigInt(_id), { name, categoryId: BigInt(categoryId), ...(status !== undefined && { status }) });
}
