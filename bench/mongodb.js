import { MongoClient } from 'mongodb';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { animal } from './animals.js';
import { startProcess } from './processes.js';

const SERVER = fileURLToPath(new URL('mongodb-server.js', import.meta.url));

/** The server of `MONGODB_TEST_URL`, or one of those that the tests run on. */
export async function openMongodb() {
  const given = process.env['MONGODB_TEST_URL'];
  if (given) return { url: given, name: 'the server of MONGODB_TEST_URL', stop: async () => undefined };
  const { found, stop } = await startProcess(['--import', 'tsx', SERVER], { pattern: /^server: (.*)$/ });
  return { ...JSON.parse(found), stop };
}

/** The URL of a server with another database in it. */
export function databaseUrl(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * Makes a database anew, with so many animals, the index that lists by status need, and the counter of Fastify's server. Resolves to
 * its URL.
 */
export async function fillDatabase(url, name, count) {
  const ofDatabase = databaseUrl(url, name);
  const client = await new MongoClient(ofDatabase).connect();
  try {
    const db = client.db();
    await db.dropDatabase();
    if (count === 0) return ofDatabase;
    const documents = Array.from({ length: count }, (_, i) => documentOf(i + 1));
    await db.collection('pets').insertMany(documents, { writeConcern: { w: 'majority' } });
    if (name === 'bench-fastify') {
      await db.collection('pets').createIndex({ status: 1, _id: 1 });
      await db.collection('counters').insertOne({ _id: 'pets', last: count });
    }
    return ofDatabase;
  } finally {
    await client.close();
  }
}

function documentOf(number) {
  const { name, categoryId, status } = animal(number);
  return { _id: BigInt(number), name, categoryId: BigInt(categoryId), status };
}
