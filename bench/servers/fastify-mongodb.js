import { MongoClient } from 'mongodb';
import process from 'node:process';
import { NO_SUCH_ANIMAL } from './parts/errors.js';
import { deprecate, isId, linkToNext, SCHEMAS, startFastify } from './parts/fastify-app.js';

/**
 * Fastify with every header field that Animal Store sends, on the database at `MONGODB_URL`, with MongoDB's driver as its
 * manual shows it: ids from a counter, by `findOneAndUpdate`, and everything else by default.
 */
export async function start({ keys }) {
  const client = await new MongoClient(process.env['MONGODB_URL']).connect();
  const pets = client.db().collection('pets');
  const counters = client.db().collection('counters');

  return startFastify(keys, (v1) => {
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
      const update = { $inc: { last: 1 } };
      const { last } = await counters.findOneAndUpdate({ _id: 'pets' }, update, {
        upsert: true,
        returnDocument: 'after',
      });
      const document = { _id: last, name, categoryId, ...(status && { status }) };
      await pets.insertOne(document);
      reply.code(201).header('Location', `/v1/pets/${last}`);
      return toAnimal(document);
    });

    v1.get('/pets/:petId', { schema: SCHEMAS.get }, async ({ params: { petId } }, reply) => {
      deprecate(reply);
      const found = isId(petId) ? await pets.findOne({ _id: Number(petId) }) : null;
      if (found !== null) return toAnimal(found);
      return reply.code(404).send(NO_SUCH_ANIMAL);
    });
  });
}

function toAnimal({ _id, ...rest }) {
  return { id: _id, ...rest };
}
