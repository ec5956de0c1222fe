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
   * The id of the page's last animal if at least one more animal matches the query; otherwise left out. Given as `after`
   * with the same status, it lists what follows (keyset pagination). Together, the pages show each animal exactly once if
   * its `add` had resolved before the first page was asked for. They may show animals that are added later.
   */
  readonly next?: bigint;
}

/**
 * The driven port that keeps the animals. Its docstrings are the contract, which the suite `verifyPetCatalogueContract`
 * checks for each adapter.
 *
 * Every int64 is kept exactly, and every string code unit for code unit. A `Pet` has no member beyond the port's, and
 * never changes once returned, whatever a caller does to its own objects. A call sees everything that was stored by calls
 * that had resolved before it began. Any number of calls may run at once.
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
   * Lists the animals that match the query by ascending id, `limit` of them at the most. If none matches, the page is
   * empty. The array is the caller's own.
   */
  list(query: PetQuery): Promise<PetPage>;

  /** Resolves to the animal with this id, any int64, or to `undefined` if there is none. */
  find(id: bigint): Promise<Pet | undefined>;
}
