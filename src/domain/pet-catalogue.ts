import type { CallOptions } from './call-options.js';
import type { PetCreation } from './idempotency-key.js';
import type { NewPet, Pet } from './pet.js';
import type { PetStatus } from './pet-status.js';

/** Which animals to list. The application passes only valid queries. */
export interface PetQuery {
  /** The maximum number of animals to return: an integer from 1 to 100. */
  readonly limit: number;
  /** Only animals with this status; an animal without a status matches none. */
  readonly status?: PetStatus;
  /** Only animals whose id is greater: 0 to `INT64_MAX`. @default all animals */
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

/** An animal with the digest of its idempotency key, as it is exported and restored. */
export interface PetRecord {
  readonly pet: Pet;
  /**
   * The SHA-256 in UTF-8 of the idempotency key that created the animal, in 64 lower-case hexadecimal digits. Left out if the
   * animal was created without a key.
   */
  readonly idempotencyDigest?: string;
}

/** The result of restoring records into a catalogue. */
export interface RestoreResult {
  /** How many records this call stored. */
  readonly restored: number;
  /** How many records were stored already. */
  readonly unchanged: number;
  /** The indexes, in the array that was passed, of the records that contradict what is stored. Ascending. */
  readonly conflicts: readonly number[];
}

/** The maximum number of records that the application passes to one call of `restore`: 1,000. */
export const BATCH_MAX = 1000;

/**
 * The driven port that keeps the animals. Its docstrings are the contract, which the suite `verifyPetCatalogueContract`
 * checks for each adapter.
 *
 * Every int64 is kept exactly, and every string code unit for code unit. A `Pet` has no member beyond the port's, and never
 * changes once returned, whatever a caller does to its own objects. A call sees everything that was stored by calls that had
 * resolved before it began. Any number of calls may run concurrently.
 *
 * Each call that has `options` may be cancelled by their `signal`. A catalogue may ignore the signal: then a read ends when it has
 * its result, and a creation is given up by the application. A catalogue that waits for a database should stop its query:
 * otherwise, a list for a client that has left counts as in flight until the database answers. A call that the catalogue ends
 * because of the signal rejects with the signal's `reason`; a creation that it ends may or may not be stored. Once a call has
 * settled, its signal has no effect, and the catalogue no longer listens to it. A signal that is not aborted changes nothing.
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
   * 1; gaps are allowed. As long as only one process adds animals, each id is greater than the ids of all animals whose `add`
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
   * The catalogue remembers a key as long as it keeps the animal, in every process on the same database. It stores the SHA-256 of
   * the key with the animal, in one write.
   *
   * If this rejects with anything but `idempotency_key_reused`, the animal may or may not be stored, and the key may or may not
   * belong to it. Repeating the call completes the creation: it stores the animal only if no earlier call did.
   */
  addOnce?(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation>;

  /**
   * Lists the animals that match the query by ascending id, at most `limit` of them. If none matches, the page is empty. The
   * caller may change the array.
   */
  list(query: PetQuery, options?: CallOptions): Promise<PetPage>;

  /** Resolves to the animal with this id, any int64, or to `undefined` if there is none. */
  find(id: bigint, options?: CallOptions): Promise<Pet | undefined>;

  /**
   * Yields the animals as records, by ascending id. Optional: a catalogue has both `records` and `restore`, or neither.
   *
   * Yields each animal once that was stored before the first record was requested, and possibly animals that are stored in the
   * meantime. A record has the digest of the animal's idempotency key if `addOnce` stored the animal, or `restore` with a digest.
   *
   * @param after Only animals whose id is greater: 0 to `INT64_MAX`. @default all animals
   */
  records?(after?: bigint): AsyncIterable<PetRecord>;

  /**
   * Stores animals that already have ids, such as those of an export. Optional, as `records` is.
   *
   * Each animal is stored under its own id, whole or not at all, together with the digest of its record. Nothing that is stored
   * changes. A record is `unchanged` if its animal is stored under its id, and with its digest if the record has one. A record
   * conflicts if its id belongs to another animal, if its animal is stored without its digest or with another one, or if its
   * digest belongs to another id. The records that do not conflict are stored nevertheless. Resolves once they are as durable
   * as the database can make them.
   *
   * Afterwards, each id that a new call of `add` or `addOnce` assigns is greater than the restored ids, in every
   * process on the same database; such a call rejects if there is no greater id. `addOnce` with the key of a restored digest
   * replays the creation.
   *
   * The application passes 1 to 1,000 records by ascending id, each id from 1 to `INT64_MAX`, no id and no digest twice. If this
   * rejects, any of them may be stored. Repeating the call stores the rest.
   */
  restore?(records: readonly PetRecord[]): Promise<RestoreResult>;
}

/** Whether a catalogue has the optional method `addOnce`. */
export function hasAddOnce(
  catalogue: PetCatalogue,
): catalogue is PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>> {
  return catalogue.addOnce !== undefined;
}
