const AS_ADAPTER = {
  useBigInt64: true,
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
};

/** The driver of MongoDB and the queries of Animal Store's adapter, with nothing around them. */
export class BareMongodb {
  #pets;
  #last;

  /** @param last The greatest id in the collection. */
  constructor(db, last) {
    this.#pets = db.collection('pets', AS_ADAPTER);
    this.#last = last;
  }

  async add(newPet) {
    const document = { _id: ++this.#last, ...newPet };
    await this.#pets.insertOne(document);
    return document;
  }

  /** Inserts animals with their ids, so many at a time. It remembers no keys. */
  async addAll(pets, atOnce) {
    let documents = [];
    for (const { id, ...newPet } of pets) {
      documents.push({ _id: id, ...newPet });
      if (documents.length < atOnce) continue;
      await this.#pets.insertMany(documents, { ordered: false });
      documents = [];
    }
    if (documents.length > 0) await this.#pets.insertMany(documents, { ordered: false });
  }

  async list({ limit, status, after }) {
    const filter = { ...(status !== undefined && { status }), ...(after !== undefined && { _id: { $gt: after } }) };
    const hint = status === undefined ? { _id: 1 } : { status: 1, _id: 1 };
    const options = { sort: { _id: 1 }, hint, limit: limit + 1, batchSize: limit + 1, singleBatch: true };
    return this.#pets.find(filter, options).toArray();
  }

  async find(id) {
    return this.#pets.findOne({ _id: id });
  }
}
