/** Animals in arrays, with nothing around them: the least that a store in memory can do. */
export class BareMemory {
  #animals = [];
  #byStatus = new Map();

  add({ name, categoryId, status }) {
    const animal = { id: BigInt(this.#animals.length + 1), name, categoryId, status };
    this.#animals.push(animal);
    const peers = this.#byStatus.get(status);
    if (peers === undefined) this.#byStatus.set(status, [animal]);
    else peers.push(animal);
    return animal;
  }

  list({ limit, status, after = 0n }) {
    const animals = status === undefined ? this.#animals : (this.#byStatus.get(status) ?? []);
    const start = firstBeyond(animals, after);
    return animals.slice(start, start + limit);
  }

  find(id) {
    return this.#animals[Number(id) - 1];
  }
}

/** The index of the first animal whose id is greater, by binary search. */
function firstBeyond(animals, after) {
  let low = 0;
  let high = after < 1n ? 0 : animals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (animals[middle].id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
