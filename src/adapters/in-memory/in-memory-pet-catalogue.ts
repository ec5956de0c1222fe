import { throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import { INT64_MAX } from '../../domain/int64.js';
import type { PetCatalogue, PetPage, PetQuery, PetRecord, RestoreResult } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { isSamePet, makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';
import { sha256 } from './digest.js';

/**
 * A {@link PetCatalogue} in the memory of one process. Its ids have no gaps, unless restored animals leave some.
 *
 * `add`, `addOnce` and `find` take O(1) time, and a list O(limit); beyond a gap, and for a list of one status, a binary search is
 * added. Restoring animals takes time in proportion to their number if their ids are greater than all others, otherwise in
 * proportion to the number of all animals.
 *
 * Its fields are private to TypeScript only, so that it works behind a `Proxy`, such as Vue's `reactive`.
 */
export class InMemoryPetCatalogue implements PetCatalogue {
  /** Ascending by id. */
  private pets: Pet[] = [];
  /** Each list ascends by id. */
  private readonly byStatus = new Map<PetStatus, Pet[]>();
  private readonly byDigest = new Map<string, Pet>();

  /**
   * @param pets The initial animals, with the ids 1, 2, 3 and so on. @default none
   * @throws AnimalStoreError `invalid_pet`, as `createPet` does.
   * @example
   * const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7, status: 'sold' }]);
   */
  constructor(pets: Iterable<NewPetInput> = []) {
    for (const pet of pets) this.store(makeNewPet(pet));
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    throwIfAborted(options?.signal);
    return this.store(newPet);
  }

  /** Rejects with an `Error` if the runtime has no SHA-256. */
  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    const hash = sha256(idempotencyKey);
    const digest = typeof hash === 'string' ? hash : await hash;
    throwIfAborted(options?.signal);
    const present = this.byDigest.get(digest);
    if (present !== undefined) return replayCreation(present, newPet);
    const pet = this.store(newPet);
    this.byDigest.set(digest, pet);
    return { pet, replayed: false };
  }

  async list({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<PetPage> {
    throwIfAborted(options?.signal);
    const candidates = status === undefined ? this.pets : (this.byStatus.get(status) ?? []);
    const start = firstBeyond(candidates, after);
    const pets = candidates.slice(start, start + limit);
    const last = pets.at(-1);
    return last !== undefined && start + limit < candidates.length ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    throwIfAborted(options?.signal);
    return this.get(id);
  }

  async *records(after = 0n): AsyncGenerator<PetRecord, void, undefined> {
    const digests = new Map(Array.from(this.byDigest, ([digest, pet]) => [pet, digest]));
    for (const pet of this.pets.slice(firstBeyond(this.pets, after))) {
      const digest = digests.get(pet);
      yield digest === undefined ? { pet } : { pet, idempotencyDigest: digest };
    }
  }

  async restore(records: readonly PetRecord[]): Promise<RestoreResult> {
    const conflicts: number[] = [];
    const missing: Pet[] = [];
    for (const [i, { pet: given, idempotencyDigest: digest }] of records.entries()) {
      const stored = this.get(given.id);
      const owner = digest === undefined ? undefined : this.byDigest.get(digest);
      if (stored === undefined && owner === undefined) {
        const pet = makePet(given.id, given);
        missing.push(pet);
        if (digest !== undefined) this.byDigest.set(digest, pet);
      } else if (stored === undefined || !isSamePet(stored, given) || (digest !== undefined && owner !== stored)) {
        conflicts.push(i);
      }
    }
    this.insert(missing);
    return { restored: missing.length, unchanged: records.length - missing.length - conflicts.length, conflicts };
  }

  private get(id: bigint): Pet | undefined {
    const found = this.pets[firstBeyond(this.pets, id - 1n)];
    return found?.id === id ? found : undefined;
  }

  private store(newPet: NewPet): Pet {
    const last = this.pets.at(-1)?.id ?? 0n;
    if (last === INT64_MAX) throw new RangeError(`the ids are used up: the greatest one is ${last}`);
    const pet = makePet(last + 1n, newPet);
    this.append(pet);
    return pet;
  }

  /** Its id must be greater than all others. */
  private append(pet: Pet): void {
    this.pets.push(pet);
    if (pet.status === undefined) return;
    const peers = this.byStatus.get(pet.status);
    if (peers === undefined) this.byStatus.set(pet.status, [pet]);
    else peers.push(pet);
  }

  /** Their ids must be free, and ascend. */
  private insert(pets: readonly Pet[]): void {
    const last = this.pets.at(-1)?.id ?? 0n;
    const areLast = pets.every(({ id }) => id > last);
    const added = areLast ? pets : this.pets.concat(pets).sort((one, other) => (one.id < other.id ? -1 : 1));
    if (!areLast) {
      this.pets = [];
      this.byStatus.clear();
    }
    for (const pet of added) this.append(pet);
  }
}

/** The index of the first animal whose id is greater than `after`, in animals that ascend by id. */
function firstBeyond(pets: readonly Pet[], after: bigint): number {
  // Without gaps, the animal with the id n is the n-th one.
  const count = Number(after);
  if (pets[count - 1]?.id === after) return count;
  let low = 0;
  let high = after < 1n ? 0 : pets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pets[middle] as Pet).id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
