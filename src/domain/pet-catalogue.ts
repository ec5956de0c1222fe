import type { CallOptions } from './call-options.js';
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
   * `add` had resolved before the first page was requested. They may show animals that are added later.
   */
  readonly next?: bigint;
}

/** The result of restoring records into a catalogue or a registry. */
export interface Restoration {
  /** How many records this call stored. */
  readonly restored: number;
  /** How many equal records were stored already. */
  readonly present: number;
  /** The positions of the records that were not stored in the array that was passed, counted from 0, in ascending order. */
  readonly refused: readonly number[];
}

/** The maximum number of animals or records that the application passes to one call that takes several. */
export const BATCH_MAX = 1000;

/** An animal to store once, with its idempotency key. */
export interface NewPetOnce {
  readonly newPet: NewPet;
  readonly idempotencyKey: string;
}

/**
 * The driven port that keeps the animals. Its docstrings are the contract, which the suite `verifyPetCatalogueContract`
 * checks for each adapter.
 *
 * Every int64 is kept exactly, and every string code unit for code unit. A `Pet` has no member beyond the port's, and never
 * changes once returned, whatever a caller does to its own objects. A call sees everything that was stored by calls that had
 * resolved before it began. Any number of calls may run concurrently.
 *
 * Each call that has `options` may be cancelled by their `signal`. The application stops waiting by itself, so a catalogue may
 * ignore the signal; one that waits for a database should stop its query. A call that the catalogue ends because of the
 * signal rejects with the signal's `reason`; a creation that it ends may or may not be stored. Once a call has settled,
 * its signal has no effect, and the catalogue no longer listens to it. A signal that is not aborted changes nothing.
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
  add(newPet: NewPet, options?: CallOptions): Promise<Pet>;

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
  addOnce?(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation>;

  /**
   * Stores several animals, each once with its own key, at a lower cost than by as many calls of `addOnce`. Optional: the
   * application calls `addOnce` for each animal if a catalogue lacks this method. A catalogue that has it also has `addOnce`.
   *
   * Resolves to what `addOnce` would have resolved to for each animal, in the order given. Everything that holds for `addOnce`
   * holds for each animal, and a key is the same to both methods. The call is not a transaction: if the process ends before it
   * resolves, any of the animals may be stored, each whole or not at all.
   *
   * If this rejects, any of the animals may be stored. It rejects with `idempotency_key_reused` if a key belongs to the creation
   * of an animal other than the given one. After any other error, repeating the call completes the creations: it stores only
   * the animals that no earlier call did.
   *
   * The application passes 1 to 1,000 animals, and no key twice.
   */
  addManyOnce?(creations: readonly NewPetOnce[]): Promise<readonly PetCreation[]>;

  /**
   * Lists the animals that match the query by ascending id, at most `limit` of them. If none matches, the page is empty. The
   * caller may change the array.
   */
  list(query: PetQuery, options?: CallOptions): Promise<PetPage>;

  /** Resolves to the animal with this id, any int64, or to `undefined` if there is none. */
  find(id: bigint, options?: CallOptions): Promise<Pet | undefined>;

  /**
   * Stores animals that already have ids, such as those of an export. Optional: a catalogue that cannot guarantee all of this
   * leaves the method out.
   *
   * Each animal is stored under its own id, whole or not at all. If the same animal is stored already under this id, it is
   * `present`. If another animal has its id, the stored one stays unchanged, and the given one is
   * `refused`. The other animals of the call are still stored. Resolves once the animals are as durable as the database can
   * make them.
   *
   * Afterwards, each id that a new call of `add`, `addOnce` or `addManyOnce` assigns is greater than those of the restored animals, in
   * every process on the same database; such a call rejects if there is no greater id. A creation that was begun before keeps its id
   * when `addOnce` or `addManyOnce` completes it.
   *
   * The application passes 1 to 1,000 animals by ascending id, each id from 1 to `INT64_MAX`, and no id twice. If this rejects,
   * any of them may be stored. Repeating the call stores the rest.
   */
  restore?(pets: readonly Pet[]): Promise<Restoration>;

  /**
   * Lists the creations that `addOnce` remembers, in any order: every creation that it remembered before the first one was
   * requested, and possibly some that are made or forgotten in the meantime. No digest occurs twice. The animal of a creation
   * is stored, unless the creation was never completed. A catalogue has this method if it has `addOnce` and `restore`.
   */
  listCreations?(): AsyncIterable<CreationRecord>;

  /**
   * Remembers creations that `listCreations` of another catalogue returned. A catalogue has this method if it has `addOnce` and
   * `restore`.
   *
   * Afterwards, `addOnce` with the same key and animal stores nothing, and resolves to the animal, with `replayed: true`, for
   * as long as if the creation had been made in this catalogue at its time. A creation that is remembered already, for the same
   * animal, is `present`. A creation is `refused` if another animal has its key, or if no animal has its `petId`. The other
   * creations of the call are still remembered, as durably as animals.
   *
   * The application passes 1 to 1,000 creations, no digest twice, and none of an animal that another key belongs to. If this
   * rejects, any of them may be remembered. Repeating the call remembers the rest.
   */
  restoreCreations?(creations: readonly CreationRecord[]): Promise<Restoration>;
}

/** Whether a catalogue has the optional method `addOnce`. */
export function hasAddOnce(
  catalogue: PetCatalogue,
): catalogue is PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>> {
  return catalogue.addOnce !== undefined;
}
