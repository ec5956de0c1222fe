import type { NewPet, Pet } from './pet.js';
import type { PetStatus } from './pet-status.js';

/** Which animals to list. The application gives valid queries only. */
export interface PetQuery {
  /** The greatest number of animals to return: an integer from 1 to 100. */
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
   * The id of the page's last animal, where at least one more animal matches the query; otherwise left out. Given as
   * `after` with the same status, it lists what follows (keyset pagination). So the pages together show each animal whose
   * `add` had resolved before the first of them exactly once; one that is added meanwhile may be among them.
   */
  readonly next?: bigint;
}

/**
 * The driven port to wherever the animals are kept. These sentences are the law for each adapter, and the contract
 * suite proves them.
 *
 * Every integer is exact over the whole of int64, and every string comes back code unit for code unit. A `Pet` never
 * changes once returned, whatever a caller does to its own objects, and has no member beyond the port's. What one call
 * has stored, each call begun after it resolved sees. Any number of calls may run at once.
 *
 * Each method rejects with an `AnimalStoreError` `store_unavailable` where the store does not answer in time, and with
 * the original error, untouched, for whatever else goes wrong.
 */
export interface PetCatalogue {
  /**
   * Stores an animal whole or not at all, and resolves to it once it is durable, as durable as the adapter's store can
   * make it. Its id is assigned here: positive, unique among all the animals ever stored, never reused, and greater
   * than the id of every animal whose `add` had resolved before this call, as long as one process alone adds. Gaps are
   * allowed. The first id of an empty store is 1. An `add` that rejects with `store_unavailable` may or may not have
   * stored the animal.
   */
  add(newPet: NewPet): Promise<Pet>;

  /**
   * Lists the animals that match the query by ascending id, the lowest ids first, `limit` of them at the most. No match
   * is an empty page, never an error. The array is the caller's own.
   */
  list(query: PetQuery): Promise<PetPage>;

  /** Resolves to the animal with this id, any int64, or to `undefined` where there is none. */
  find(id: bigint): Promise<Pet | undefined>;
}
