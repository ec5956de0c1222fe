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

  list({ limit, status }) {
    return (status === undefined ? this.#animals : (this.#byStatus.get(status) ?? [])).slice(0, limit);
  }

  find(id) {
    return this.#animals[Number(id) - 1];
  }
}
