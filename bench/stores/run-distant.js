/**
 * Creates animals by many clients at once on a distant store, and prints how many it created a second, first from the
 * start of the process, then in the same time again, as JSON: `node stores/run-distant.js ours|bare CLIENTS SECONDS`. The
 * database is at `MONGODB_URL`.
 */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { load } from '../servers/parts/animal-store.js';
import { BareMongodb } from './bare-mongodb.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'available' };

const [side, clients, seconds] = process.argv.slice(2);
const { createMongoClient, MongoPetCatalogue } = await load('animal-store/mongodb');
const client = await createMongoClient(process.env['MONGODB_URL']).connect();
const db = client.db('animal-store-bench');
await db.dropDatabase();
const store = side === 'ours' ? new MongoPetCatalogue(db) : new BareMongodb(db, 0n);
let created = 0;
let ends = false;
const callers = Promise.all(
  Array.from({ length: Number(clients) }, async () => {
    for (; !ends; created++) await store.add(REX);
  }),
);
const first = await createdInASecond();
const then = await createdInASecond();
ends = true;
await callers;
await db.dropDatabase();
await client.close();
console.log(JSON.stringify({ first, then }));

async function createdInASecond() {
  const [start, before] = [performance.now(), created];
  await delay(Number(seconds) * 1000);
  return ((created - before) / (performance.now() - start)) * 1000;
}
