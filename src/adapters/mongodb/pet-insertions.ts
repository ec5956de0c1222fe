import type { Collection, Db, Document } from 'mongodb';
import { replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import { BATCH_MAX } from '../../domain/pet-catalogue.js';
import { makePet, type NewPet } from '../../domain/pet.js';
import { inTime, type BoundedCall } from '../kit/bounded-call.js';
import { GroupCommit, type GroupCommitEntry } from '../kit/group-commit.js';
import { collectionOptions, COLLECTIONS, findDocuments, insertUnlessTaken } from './collections.js';
import { runOperation, type OperationSettings } from './operation.js';
import { toPet, toPetDocument, type PetDocument } from './pet-document.js';
import type { PetIdCounter } from './pet-id-counter.js';

type Insertion = GroupCommitEntry<{ readonly newPet: NewPet; readonly digest: Buffer | undefined }, PetCreation>;

/** How long a request for ids may take until the next one is sent, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Those that arrive while the counter is being asked share its next `$inc`, and then one unordered `insertMany`. So a creation alone takes
 * two round trips, and many together not many more.
 *
 * If a request for ids takes longer than a second, those that have no id yet join the next one, on another connection. The ids of a
 * request are used only for its own animals: so each id is greater than all that were stored or restored before its call began, in
 * whatever order the ids arrive.
 */
export class PetInsertions {
  readonly #db: Db;
  readonly #pets: Collection<PetDocument>;
  readonly #counter: PetIdCounter;
  readonly #settings: OperationSettings;
  /** Those that have no id yet, those of the present request and of late ones among them. */
  readonly #waiting = new GroupCommit<Insertion['value'], PetCreation>(BATCH_MAX, async (batch) => {
    // If the ids are late, the next request has its animals, and an error of this one changes nothing.
    await inTime(this.#insert(batch), PATIENCE_MS, () => undefined);
  });

  constructor(db: Db, counter: PetIdCounter, settings: OperationSettings) {
    this.#db = db;
    this.#pets = db.collection(COLLECTIONS.pets, collectionOptions(settings.deadlineMs));
    this.#counter = counter;
    this.#settings = settings;
  }

  async insert(newPet: NewPet, digest: Buffer | undefined, call: BoundedCall): Promise<PetCreation> {
    return this.#waiting.add({ newPet, digest }, call);
  }

  async #insert(request: readonly Insertion[]): Promise<void> {
    const reserve = async (): Promise<bigint> => this.#counter.reserve(request.length);
    const first = await runOperation('ids.reserve', this.#settings, reserve);
    void this.#insertBatch(this.#waiting.take(request), first);
  }

  /** Settles the insertions, and never rejects. Batches are inserted beside each other. */
  async #insertBatch(batch: readonly Insertion[], first: bigint): Promise<void> {
    if (batch.length === 0) return;
    const documents = batch.map(({ value: { newPet, digest } }, i) => toPetDocument(first + BigInt(i), newPet, digest));
    try {
      const rejectOne = (i: number, error: Error): void => batch[i]?.reject(error);
      const refused = new Set(await insertUnlessTaken(this.#pets, documents, rejectOne));
      for (const [i, insertion] of batch.entries()) {
        if (refused.has(i)) continue;
        // Does nothing for those that were rejected.
        insertion.resolve({ pet: makePet(first + BigInt(i), insertion.value.newPet), replayed: false });
      }
      if (refused.size > 0) await this.#settleRefused(batch.filter((_, i) => refused.has(i)));
    } catch (error) {
      // Those that are stored have resolved.
      for (const insertion of batch) insertion.reject(error);
    }
  }

  /** The error for a taken id or idempotency key does not say which of them it is. */
  async #settleRefused(refused: readonly Insertion[]): Promise<void> {
    const stored = await this.#findByKeys(
      refused.map(({ value }) => value.digest).filter((digest) => digest !== undefined),
    );
    for (const insertion of refused) {
      const { newPet, digest } = insertion.value;
      const document = digest && stored.get(digest.toString('hex'));
      if (document === undefined) {
        const obstacle = new Error('the id is taken, or no majority has the animal with this idempotency key yet');
        insertion.call.obstacle = obstacle;
        this.#counter.suspect();
        this.#waiting.putBack(insertion);
        continue;
      }
      try {
        insertion.resolve(replayCreation(toPet(document), newPet));
      } catch (error) {
        insertion.reject(error);
      }
    }
  }

  async #findByKeys(digests: readonly Buffer[]): Promise<ReadonlyMap<string, Document>> {
    if (digests.length === 0) return new Map();
    const filter = { digest: { $in: digests } };
    const find = { find: COLLECTIONS.pets, filter, hint: { digest: 1 }, limit: digests.length };
    const documents = await findDocuments(this.#db, find, this.#settings.deadlineMs);
    return new Map(documents.map((document) => [(document['digest'] as Buffer).toString('hex'), document]));
  }
}
