/** @import { PetCatalogue } from 'animal-store' */

/**
 * A catalogue around another one, which reports how long each call took.
 *
 * A catalogue may lack `addOnce`. A wrapper passes it on if the inner catalogue has it: without it, `createPetOnce` of the store
 * rejects, and the HTTP interface refuses `Idempotency-Key`. `options` contains the signal that cancels a call. To import or
 * restore animals through a wrapper, pass on the other optional methods of `PetCatalogue` as well.
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
    add: (newPet, options) => timed('add', () => inner.add(newPet, options)),
    list: (query, options) => timed('list', () => inner.list(query, options)),
    find: (id, options) => timed('find', () => inner.find(id, options)),
  };
  const addOnce = inner.addOnce?.bind(inner);
  if (addOnce !== undefined) {
    catalogue.addOnce = (newPet, key, options) => timed('addOnce', () => addOnce(newPet, key, options));
  }
  return catalogue;
}
