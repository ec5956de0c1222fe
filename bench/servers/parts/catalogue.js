/**
 * The animals of a peer, in memory: the same arrays and the same searches as Animal Store's own catalogue in memory.
 *
 * Ids and categories are `Number`s, as most services keep them, or `BigInt`s, which are exact.
 */
export class Catalogue {
  #animals = [];
  #byStatus = new Map();
  #integer;

  /** @param {NumberConstructor | BigIntConstructor} integer What ids and categories are. */
  constructor(integer) {
    this.#integer = integer;
  }

  /** Adds an animal and returns it with its id. */
  add({ name, categoryId, status }) {
    const id = this.#integer(this.#animals.length + 1);
    const category = this.#integer(categoryId);
    const added = Object.freeze(
      status === undefined ? { id, name, categoryId: category } : { id, name, categoryId: category, status },
    );
    this.#animals.push(added);
    if (status !== undefined) {
      if (!this.#byStatus.has(status)) this.#byStatus.set(status, []);
      this.#byStatus.get(status).push(added);
    }
    return added;
  }

  /** Lists animals by ascending id; `next` is the last one's id if there are more. */
  list({ limit = 20, status, after = 0 }) {
    const candidates = status === undefined ? this.#animals : (this.#byStatus.get(status) ?? []);
    const start = firstBeyond(candidates, after);
    const animals = candidates.slice(start, start + limit);
    const next = start + limit < candidates.length ? animals.at(-1)?.id : undefined;
    return { animals, next };
  }

  /** The animal with this id, or `undefined`. */
  find(id) {
    return this.#animals[Number(id) - 1];
  }
}

function firstBeyond(animals, after) {
  let low = 0;
  let high = after < 1 ? 0 : animals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (animals[middle].id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
