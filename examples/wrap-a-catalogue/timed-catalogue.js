/** @import { PetCatalogue } from 'animal-store' */

/**
 * A catalogue around another one, which tells how long each call took.
 *
 * `addOnce` is the method that a catalogue may lack. A wrapper hands it on if the inner catalogue has it: without it,
 * `createPetOnce` of the store rejects, and the HTTP interface refuses `Idempotency-Key`.
 *
 * @param {PetCatalogue} inner
 * @param {(line: string) => void} tell
 * @returns {PetCatalogue}
 */
export function timedCatalogue(inner, tell) {
  /**
   * @template T
   * @param {string} method
   * @param {() => Promise<T>} call
   */
  async function timed(method, call) {
    const start = performance.now();
    try {
      return await call();
    } finally {
      tell(`${method} took ${(performance.now() - start).toFixed(1)} ms`);
    }
  }

  /** @type {PetCatalogue} */
  const catalogue = {
    add: (newPet) => timed('add', () => inner.add(newPet)),
    list: (query) => timed('list', () => inner.list(query)),
    find: (id) => timed('find', () => inner.find(id)),
  };
  const addOnce = inner.addOnce?.bind(inner);
  if (addOnce !== undefined) catalogue.addOnce = (newPet, key) => timed('addOnce', () => addOnce(newPet, key));
  return catalogue;
}
