import type { CallOptions } from '../../domain/call-options.js';
import {
  IDEMPOTENCY_KEY_RETENTION_MS,
  replayCreation,
  type CreationRecord,
  type PetCreation,
} from '../../domain/idempotency-key.js';
import { INT64_MAX } from '../../domain/int64.js';
import type { NewPetOnce, PetCatalogue, PetPage, PetQuery, Restoration } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { isSamePet, makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';
import { sha256 } from './digest.js';

/** Options of {@link InMemoryPetCatalogue}. */
export interface InMemoryPetCatalogueOptions {
  /**
   * Returns the time in milliseconds since an arbitrary moment. It must never go back. Only `addOnce` calls it.
   * @default `performance.now()`
   */
  readonly now?: () => number;
}

/** The minimum time between two searches for expired creations, in milliseconds. */
const FORGET_EVERY_MS = 60_000;

/** A remembered creation. */
interface RememberedCreation {
  readonly pet: Pet;
  readonly at: number;
}

/**
 * A {@link PetCatalogue} in the memory of one process. Its ids have no gaps, unless restored animals leave some.
 *
 * `add`, `addOnce` and `find` take O(1) time. A list takes O(limit), plus a binary search for its start; so does `find` beyond
 * a gap. Restoring animals takes time in proportion to their number if their ids are greater than all others, otherwise in
 * proportion to the number of all animals. Idempotency keys are kept for at least 24 hours. `addOnce` removes expired keys, at
 * most once a minute.
 */
export class InMemoryPetCatalogue implements PetCatalogue {
  /** Ascending by id. Nothing is ever removed, so without gaps, the animal with id n stands at index n − 1. */
  #pets: Pet[] = [];
  /** The same animals by status, each list ascending by id. */
  readonly #byStatus = new Map<PetStatus, Pet[]>();
  /** By their idempotency keys, the oldest first. */
  readonly #creations = new Map<string, RememberedCreation>();
  /** Those that were restored, by the SHA-256 of their keys. */
  readonly #restored = new Map<string, RememberedCreation>();
  readonly #now: () => number;
  #forgotAt = -Infinity;

  /**
   * @param pets The initial animals, with the ids 1, 2, 3 and so on. @default none
   * @param options A clock, for tests.
   * @throws AnimalStoreError `invalid_pet`, as `createPet` does.
   * @example
   * const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7, status: 'sold' }]);
   */
  constructor(
    pets: Iterable<NewPetInput> = [],
    { now = (): number => performance.now() }: InMemoryPetCatalogueOptions = {},
  ) {
    this.#now = now;
    for (const pet of pets) this.#add(makeNewPet(pet));
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    options?.signal?.throwIfAborted();
    return this.#add(newPet);
  }

  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    const digest = this.#restored.size === 0 ? '' : await sha256(idempotencyKey);
    options?.signal?.throwIfAborted();
    const now = this.#now();
    this.#forgetOldCreations(now);
    const creation = this.#creations.get(idempotencyKey) ?? this.#restored.get(digest);
    if (creation !== undefined) return replayCreation(creation.pet, newPet);
    const pet = this.#add(newPet);
    this.#creations.set(idempotencyKey, { pet, at: now });
    return { pet, replayed: false };
  }

  async addManyOnce(creations: readonly NewPetOnce[]): Promise<PetCreation[]> {
    // The caller may change its array and its objects while this waits for digests.
    const kept = creations.map(({ newPet, idempotencyKey }) => ({ newPet: makePet(0n, newPet), idempotencyKey }));
    const results: PetCreation[] = [];
    for (const { newPet, idempotencyKey } of kept) results.push(await this.addOnce(newPet, idempotencyKey));
    return results;
  }

  async list({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<PetPage> {
    options?.signal?.throwIfAborted();
    const candidates = status === undefined ? this.#pets : (this.#byStatus.get(status) ?? []);
    const start = firstBeyond(candidates, after);
    const pets = candidates.slice(start, start + limit);
    const last = pets.at(-1);
    return last !== undefined && start + limit < candidates.length ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    options?.signal?.throwIfAborted();
    return this.#find(id);
  }

  async restore(pets: readonly Pet[]): Promise<Restoration> {
    const refused: number[] = [];
    const missing: Pet[] = [];
    for (const [i, pet] of pets.entries()) {
      const present = this.#find(pet.id);
      if (present === undefined) missing.push(makePet(pet.id, pet));
      else if (!isSamePet(present, pet)) refused.push(i);
    }
    this.#insert(missing);
    return { restored: missing.length, present: pets.length - missing.length - refused.length, refused };
  }

  async *listCreations(): AsyncGenerator<CreationRecord> {
    const now = this.#now();
    const recordOf = (digest: string, { pet, at }: RememberedCreation): CreationRecord => ({
      sha256: digest,
      petId: pet.id,
      at: new Date(Date.now() - (now - at)),
    });
    const restored = Array.from(this.#restored);
    for (const [key, creation] of Array.from(this.#creations)) yield recordOf(await sha256(key), creation);
    for (const [digest, creation] of restored) yield recordOf(digest, creation);
  }

  async restoreCreations(creations: readonly CreationRecord[]): Promise<Restoration> {
    const digests = new Map<string, RememberedCreation>();
    for (const [key, creation] of Array.from(this.#creations)) digests.set(await sha256(key), creation);
    const now = this.#now();
    const refused: number[] = [];
    let restored = 0;
    for (const [i, { sha256: digest, petId, at }] of creations.entries()) {
      const known = digests.get(digest) ?? this.#restored.get(digest);
      const pet = this.#find(petId);
      if (pet === undefined || (known !== undefined && known.pet !== pet)) refused.push(i);
      else if (known === undefined) {
        this.#restored.set(digest, { pet, at: now - Math.max(0, Date.now() - at.getTime()) });
        restored++;
      }
    }
    return { restored, present: creations.length - restored - refused.length, refused };
  }

  #find(id: bigint): Pet | undefined {
    const found = this.#pets[Number(id) - 1];
    if (found?.id === id) return found;
    const next = this.#pets[firstBeyond(this.#pets, id - 1n)];
    return next?.id === id ? next : undefined;
  }

  /**
   * Removes the creations that are older than 24 hours. Does not search on every call: a `Map` steps over the entries deleted
   * at its head on each iteration, until it next grows.
   */
  #forgetOldCreations(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const creations of [this.#creations, this.#restored]) {
      for (const [key, { at }] of creations) {
        if (now - at < IDEMPOTENCY_KEY_RETENTION_MS) break;
        creations.delete(key);
      }
    }
  }

  #add(newPet: NewPet): Pet {
    const last = this.#pets.at(-1)?.id ?? 0n;
    if (last === INT64_MAX) throw new RangeError(`the ids are used up: the greatest one is ${last}`);
    const pet = makePet(last + 1n, newPet);
    this.#append(pet);
    return pet;
  }

  /** Adds an animal whose id is greater than all others. */
  #append(pet: Pet): void {
    this.#pets.push(pet);
    if (pet.status !== undefined) {
      const peers = this.#byStatus.get(pet.status);
      if (peers === undefined) this.#byStatus.set(pet.status, [pet]);
      else peers.push(pet);
    }
  }

  /** Adds animals with free ids. */
  #insert(pets: readonly Pet[]): void {
    const last = this.#pets.at(-1)?.id ?? 0n;
    let added = [...pets];
    if (pets.some(({ id }) => id < last)) {
      added = this.#pets.concat(pets);
      this.#pets = [];
      this.#byStatus.clear();
    }
    for (const pet of added.sort(byId)) this.#append(pet);
  }
}

function byId(one: Pet, other: Pet): number {
  return one.id < other.id ? -1 : 1;
}

/** The index of the first animal whose id is greater than `after`, in animals that ascend by id. */
function firstBeyond(pets: readonly Pet[], after: bigint): number {
  let low = 0;
  let high = after < 1n ? 0 : pets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pets[middle] as Pet).id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
