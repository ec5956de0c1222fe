import { Binary } from 'mongodb';
import { hash } from 'node:crypto';

const AS_ADAPTER = {
  useBigInt64: true,
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5000 },
};

/** The driver of MongoDB and the queries of Animal Store's adapter, with nothing around them. */
export class BareMongodb {
  #pets;
  #creations;
  #last;

  /** @param last The greatest id in the collection. */
  constructor(db, last) {
    this.#pets = db.collection('pets', AS_ADAPTER);
    this.#creations = db.collection('creations', AS_ADAPTER);
    this.#last = last;
  }

  async add(newPet) {
    const document = { _id: ++this.#last, ...newPet };
    await this.#pets.insertOne(document);
    return document;
  }

  /**
   * Inserts animals with their ids, so many at a time. With `keyOf`, which gives the key of a creation, it inserts the same two
   * documents for each animal as the adapter does.
   */
  async addAll(pets, atOnce, keyOf) {
    let documents = [];
    const insert = async () => {
      const digests =
        keyOf === undefined ? [] : documents.map(({ _id }) => new Binary(hash('sha256', keyOf(_id), 'buffer')));
      if (digests.length > 0) {
        const at = new Date();
        const creations = documents.map((pet, i) => ({ _id: digests[i], pet, at }));
        await this.#creations.insertMany(creations, { ordered: false });
      }
      const marked = digests.map((once, i) => ({ ...documents[i], once }));
      await this.#pets.insertMany(digests.length > 0 ? marked : documents, { ordered: false });
      documents = [];
    };
    for (const { id, ...newPet } of pets) {
      documents.push({ _id: id, ...newPet });
      if (documents.length === atOnce) await insert();
    }
    if (documents.length > 0) await insert();
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
