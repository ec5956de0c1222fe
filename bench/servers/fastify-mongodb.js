/**
 * Fastify with every header field that Animal Store sends, on the database at `MONGODB_URL`, with MongoDB's driver as its manual
 * shows it: ids from a counter, by `findOneAndUpdate`, and everything else by default. Prints its port.
 */
import { MongoClient } from 'mongodb';
import process from 'node:process';
import { NO_SUCH_ANIMAL } from './parts/errors.js';
import { deprecate, isId, linkToNext, SCHEMAS, startFastify } from './parts/fastify-app.js';

const DUPLICATE_KEY = 11_000;

const client = await new MongoClient(process.env['MONGODB_URL']).connect();
const pets = client.db().collection('pets');
const counters = client.db().collection('counters');

const port = await startFastify((v1) => {
  v1.get('/pets', { schema: SCHEMAS.list }, async ({ query }, reply) => {
    const { status, after } = query;
    const limit = Number(query.limit ?? 20);
    const filter = { ...(status && { status }), ...(after && { _id: { $gt: Number(after) } }) };
    const documents = await pets
      .find(filter)
      .sort({ _id: 1 })
      .limit(limit + 1)
      .toArray();
    const animals = documents.slice(0, limit).map(toAnimal);
    if (documents.length > limit) linkToNext(reply, query, animals.at(-1).id);
    return animals;
  });

  v1.post('/pets', { schema: SCHEMAS.create }, async ({ body: { name, categoryId, status } }, reply) => {
    const document = await insert({ name, categoryId, ...(status && { status }) });
    reply.code(201).header('Location', `/v1/pets/${document._id}`);
    return toAnimal(document);
  });

  v1.get('/pets/:petId', { schema: SCHEMAS.get }, async ({ params: { petId } }, reply) => {
    deprecate(reply);
    const found = isId(petId) ? await pets.findOne({ _id: Number(petId) }) : null;
    if (found !== null) return toAnimal(found);
    return reply.code(404).send(NO_SUCH_ANIMAL);
  });
});
console.log(port);

/** Inserts an animal under the next id. mongo-java-server gives two connections the same one now and then, which a mongod does not. */
async function insert(members) {
  const options = { upsert: true, returnDocument: 'after' };
  const { last } = await counters.findOneAndUpdate({ _id: 'pets' }, { $inc: { last: 1 } }, options);
  const document = { _id: last, ...members };
  try {
    await pets.insertOne(document);
    return document;
  } catch (error) {
    if (error.code !== DUPLICATE_KEY) throw error;
    return insert(members);
  }
}

function toAnimal({ _id, ...rest }) {
  return { id: _id, ...rest };
}
