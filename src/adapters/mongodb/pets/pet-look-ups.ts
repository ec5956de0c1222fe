import type { Db } from 'mongodb';
import type { Pet } from '../../../domain/pet.js';
import type { Limits } from '../deadline.js';
import { findDocuments } from './find-documents.js';
import { readOwnPets, toPets } from './pet-bson.js';

/** What a look-up returns or throws, by the id. */
type Answers = ReadonlyMap<bigint, () => Pet | undefined>;

/** Ids that share one query. */
interface Batch {
  readonly ids: Set<bigint>;
  readonly answers: Promise<Answers>;
}

const LARGEST_BATCH = 100;

/**
 * Looks animals up by their ids. Look-ups that begin in the same turn of the event loop share one command, because a command
 * costs the process, and the server, more than an id in it.
 *
 * Asks again, by one command for each, for the ids that the shared one did not give: those of no animal, those of documents
 * that another program wrote, and those for which an answer of MongoDB, of 16 MiB at the most, had no room.
 */
export class PetLookUps {
  readonly #db: Db;
  readonly #run: (count: number, operate: (limits: Limits) => Promise<Answers>) => Promise<Answers>;
  /** The batch that is not sent yet. */
  #waiting: Batch | undefined;

  /** @param run Runs an operation for so many ids within its deadline. */
  constructor(db: Db, run: (count: number, operate: (limits: Limits) => Promise<Answers>) => Promise<Answers>) {
    this.#db = db;
    this.#run = run;
  }

  async find(id: bigint): Promise<Pet | undefined> {
    const { ids, answers } = (this.#waiting ??= this.#openBatch());
    ids.add(id);
    if (ids.size === LARGEST_BATCH) this.#waiting = undefined;
    return (await answers).get(id)?.();
  }

  #openBatch(): Batch {
    const ids = new Set<bigint>();
    return { ids, answers: this.#answer(ids) };
  }

  async #answer(ids: ReadonlySet<bigint>): Promise<Answers> {
    await new Promise(setImmediate);
    if (this.#waiting?.ids === ids) this.#waiting = undefined;
    return this.#run(ids.size, async (limits) => this.#find([...ids], limits));
  }

  async #find(ids: readonly bigint[], limits: Limits): Promise<Answers> {
    const answers = new Map<bigint, () => Pet | undefined>();
    if (ids.length > 1) {
      const find = { filter: { _id: { $in: ids } }, limit: ids.length };
      for (const pet of readOwnPets(await findDocuments(this.#db, 'pets', find, limits))) {
        answers.set(pet.id, () => pet);
      }
    }
    const others = ids.filter((id) => !answers.has(id));
    await Promise.all(
      others.map(async (id) => {
        const documents = await findDocuments(this.#db, 'pets', { filter: { _id: id }, limit: 1 }, limits);
        answers.set(id, () => toPets(documents)[0]);
      }),
    );
    return answers;
  }
}
