import type { CreationRecord, PetCreation } from './idempotency-key.js';
import type { NewPet, Pet } from './pet.js';
import type { PetStatus } from './pet-status.js';

/** Which animals to list. The application passes only valid queries. */
export interface PetQuery {
  /** The maximum number of animals to return: an integer from 1 to 100. */
  readonly limit: number;
  /** Only animals with this status; an animal without a status matches none. */
  readonly status?: PetStatus;
  /** Only animals whose id is greater: any int64. */
  readonly after?: bigint;
}

/** One page of a list. */
export interface PetPage {
  /** The animals by ascending id. */
  readonly pets: readonly Pet[];
  /**
   * The id of the page's last animal if at least one more animal matches the query; otherwise left out. Pass it as `after`,
   * with the same status, to list the next page (keyset pagination). Together, the pages show each animal exactly once if its
   * `add` had resolved before the first page was asked for. They may show animals that are added later.
   */
  readonly next?: bigint;
}

/** What became of the records that were given to a catalogue or a registry, to be restored. */
export interface Restoration {
  /** How many were stored by this call. */
  readonly restored: number;
  /** How many were there already, and equal. */
  readonly present: number;
  /** The others, which were not stored: their places in the array that was given, counted from 0, in ascending order. */
  readonly refused: readonly number[];
}

/** The greatest number of records that the application gives to one call that restores. */
export const RESTORE_BATCH_MAX = 1000;

/**
 * The driven port that keeps the animals. Its docstrings are the contract, which the suite `verifyPetCatalogueContract`
 * checks for each adapter.
 *
 * Every int64 is kept exactly, and every string code unit for code unit. A `Pet` has no member beyond the port's, and never
 * changes once returned, whatever a caller does to its own objects. A call sees everything that was stored by calls that had
 * resolved before it began. Any number of calls may run concurrently.
 *
 * Each method rejects with an `AnimalStoreError` `store_unavailable` if the database does not answer in time, and with the
 * original error, untouched, for everything else that goes wrong.
 */
export interface PetCatalogue {
  /**
   * Stores an animal, whole or not at all, and assigns its id. Resolves to the animal once it is as durable as the
   * database can make it.
   *
   * The id is positive, unique among all the animals ever stored, and never reused. The first id of an empty catalogue is
   * 1; gaps are allowed. As long as only one process adds animals, each id is greater than that of every animal whose `add`
   * had resolved before.
   *
   * If this rejects with `store_unavailable`, the animal may or may not be stored.
   */
  add(newPet: NewPet): Promise<Pet>;

  /**
   * Stores an animal once, however often its creation is sent. Optional: a catalogue that cannot guarantee all of this leaves
   * the method out. A catalogue that wraps another one has it if the wrapped one does.
   *
   * The first call with an idempotency key stores the animal as `add` does, and resolves to it with `replayed: false`. A later
   * call with the same key and the same animal stores nothing, and resolves to the animal of the first one with
   * `replayed: true`. Concurrent calls store one animal between them, and all resolve to it, at most one of them with
   * `replayed: false`.
   *
   * Animals are the same if all their members are, strings code unit for code unit. A call with the same key and another animal
   * stores nothing, and rejects with `idempotency_key_reused`. The error reveals nothing about the first animal.
   * (`replayCreation` compares the animals, and throws this error.)
   *
   * Keys are compared code unit for code unit: the same animal with another key, or by `add`, is stored again. The application
   * passes keys of 1 to 1,024 UTF-16 code units, without U+0000 and lone surrogates. An animal does not contain its key.
   *
   * The catalogue remembers a key for at least 24 hours (`IDEMPOTENCY_KEY_RETENTION_MS`), as durably as the animal, in every
   * process on the same database. Once it has forgotten a key, it treats the next call with that key as the first.
   *
   * If this rejects with anything but `idempotency_key_reused`, the animal may or may not be stored, and the key may or may not
   * belong to it. Repeating the call completes the creation: it stores the animal only if no earlier call did.
   */
  addOnce?(newPet: NewPet, idempotencyKey: string): Promise<PetCreation>;

  /**
   * Lists the animals that match the query by ascending id, at most `limit` of them. If none matches, the page is
   * empty. The array is the caller's own.
   */
  list(query: PetQuery): Promise<PetPage>;

  /** Resolves to the animal with this id, any int64, or to `undefined` if there is none. */
  find(id: bigint): Promise<Pet | undefined>;

  /**
   * Stores animals that have their ids already, such as those of an export. A catalogue that cannot promise all of this leaves
   * the method out.
   *
   * Each animal is stored under its own id, whole or not at all. One that is there already, with the same `name`, `categoryId`
   * and `status`, is `present`. If another animal has its id, that one stays as it is, and the given one is `refused`. The other
   * animals of the call are stored all the same. Resolves once that is as durable as the database can make it.
   *
   * Afterwards, each id that `add` and `addOnce` give is greater than those of the animals that were given here; they reject if
   * there is none. This holds for every process that starts to use the database afterwards. One that used it before may still
   * give ids that it had reserved, but none that is taken.
   *
   * The application gives 1 to 1,000 animals by ascending id, each from 1 to `INT64_MAX`, and no id twice. If this rejects, any
   * of them may be stored. The same call again completes what was begun.
   */
  restore?(pets: readonly Pet[]): Promise<Restoration>;

  /**
   * Gives each creation that `addOnce` remembers, in any order: each that it remembered before the first one was asked for, and
   * maybe some that are made or forgotten meanwhile. No digest is given twice. Its animal is stored, unless the creation was
   * never completed. A catalogue has this method if it has `addOnce` and `restore`.
   */
  listCreations?(): AsyncIterable<CreationRecord>;

  /**
   * Remembers creations that another catalogue gave by `listCreations`. A catalogue has this method if it has `addOnce` and
   * `restore`.
   *
   * Afterwards, `addOnce` with the same key and animal stores nothing, and resolves to the animal, with `replayed: true`, for
   * as long as if the creation had been made in this catalogue at its time. One that is remembered already, for the same
   * animal, is `present`. It is `refused` if another animal has its key, or if no animal has its `petId`. The others of the call
   * are remembered all the same, as durably as animals.
   *
   * The application gives 1 to 1,000 creations, no digest twice, and none of an animal that another key belongs to. If this rejects, any of them may be remembered. The same
   * call again completes what was begun.
   */
  restoreCreations?(creations: readonly CreationRecord[]): Promise<Restoration>;
}

/** Whether a catalogue has the optional method `addOnce`. */
export function hasAddOnce(
  catalogue: PetCatalogue,
): catalogue is PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>> {
  return catalogue.addOnce !== undefined;
}
