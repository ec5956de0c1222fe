import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { CallOptions } from '../../../src/domain/call-options.js';
import type { PetCreation } from '../../../src/domain/idempotency-key.js';
import type { NewPet, Pet } from '../../../src/domain/pet.js';
import type { PetPage, PetQuery } from '../../../src/domain/pet-catalogue.js';

/** A catalogue whose reads, and creations with a key, wait until they are released, or until their signal is aborted. */
export class HeldCatalogue extends InMemoryPetCatalogue {
  /** How many calls have begun. */
  calls = 0;
  /** Ends what waits, and lets further calls pass. */
  release!: () => void;
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  override async list(query: PetQuery, options?: CallOptions): Promise<PetPage> {
    await this.#hold(options);
    return super.list(query);
  }

  override async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    await this.#hold(options);
    return super.find(id);
  }

  override async addOnce(newPet: NewPet, key: string): Promise<PetCreation> {
    await this.#hold();
    return super.addOnce(newPet, key);
  }

  async #hold({ signal }: CallOptions = {}): Promise<void> {
    this.calls++;
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      void this.#released.then(resolve);
    });
  }
}
