import { readFile, rename, writeFile } from 'node:fs/promises';

/** @import { NewPet, Pet, PetCatalogue, PetPage, PetQuery } from 'animal-store' */

/**
 * Animals in a JSON file, for one process and a few thousand animals: each call reads the file, each `add` writes it
 * anew. Integers are kept as strings of digits, since a JSON number would lose them beyond 2^53.
 *
 * @implements {PetCatalogue}
 */
export class JsonFilePetCatalogue {
  /** The end of the queue of writes. */
  #written = Promise.resolve();
  #file;

  /** @param {string} file Where the animals are kept. Made with the first of them. */
  constructor(file) {
    this.#file = file;
  }

  /**
   * @param {NewPet} newPet
   * @returns {Promise<Pet>}
   */
  async add({ name, categoryId, status }) {
    const adding = this.#written.then(async () => {
      const pets = await this.#read();
      const id = (pets.at(-1)?.id ?? 0n) + 1n;
      const pet = Object.freeze({ id, name, categoryId, ...(status && { status }) });
      await this.#write([...pets, pet]);
      return pet;
    });
    const settled = () => undefined;
    this.#written = adding.then(settled, settled);
    return adding;
  }

  /**
   * @param {PetQuery} query
   * @returns {Promise<PetPage>}
   */
  async list({ limit, status, after = 0n }) {
    const matching = (await this.#read()).filter(
      (pet) => pet.id > after && (status === undefined || pet.status === status),
    );
    const pets = matching.slice(0, limit);
    const last = pets.at(-1);
    return last !== undefined && matching.length > limit ? { pets, next: last.id } : { pets };
  }

  /**
   * @param {bigint} id
   * @returns {Promise<Pet | undefined>}
   */
  async find(id) {
    return (await this.#read()).find((pet) => pet.id === id);
  }

  /** @returns {Promise<Pet[]>} */
  async #read() {
    const text = await readFile(this.#file, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    });
    return JSON.parse(text, (key, value) => {
      if (key === 'id' || key === 'categoryId') return BigInt(value);
      return typeof value === 'object' && !Array.isArray(value) ? Object.freeze(value) : value;
    });
  }

  /**
   * Replaces the file as a whole: whoever reads it sees the animals before or after, never half of them.
   *
   * @param {readonly Pet[]} pets
   */
  async #write(pets) {
    const text = JSON.stringify(pets, (_key, value) => (typeof value === 'bigint' ? String(value) : value), 2);
    await writeFile(`${this.#file}.new`, text, { flush: true });
    await rename(`${this.#file}.new`, this.#file);
  }
}
