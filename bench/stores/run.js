/**
 * Runs every operation on one store for some time, and prints what each one costs this process, in microseconds of CPU
 * time, as JSON: `node stores/run.js memory|mongodb ours|bare SECONDS`. The database is at `MONGODB_URL`.
 */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { animal, ANIMALS } from '../animals.js';
import { load } from '../servers/parts/animal-store.js';
import { BareMemory } from './bare-memory.js';
import { BareMongodb } from './bare-mongodb.js';
import { OPERATIONS } from './operations.js';

/** How many animals each store holds, how many operations wait for it at a time, and how often the clock is looked at. */
const SETTINGS = {
  memory: { animals: ANIMALS, concurrency: 1, batch: 100, warmUpFactor: 0.5 },
  mongodb: { animals: 1000, concurrency: 4, batch: 1, warmUpFactor: 2 },
};

const [kind, side, duration] = process.argv.slice(2);
const seconds = Number(duration);
const settings = SETTINGS[kind];
const { store, close } = await (kind === 'memory' ? openMemory() : openMongodb());
const costs = {};
for (const operation of OPERATIONS) {
  await run(operation, seconds * settings.warmUpFactor);
  costs[operation.name] = await run(operation, seconds);
}
await close();
console.log(JSON.stringify(costs));

async function openMemory() {
  const { InMemoryPetCatalogue } = await load('animal-store/in-memory');
  const store = side === 'ours' ? new InMemoryPetCatalogue() : new BareMemory();
  for (const pet of animals()) await store.add(pet);
  return { store, close: async () => undefined };
}

async function openMongodb() {
  const { createMongoClient, MongoPetCatalogue } = await load('animal-store/mongodb');
  const client = await createMongoClient(process.env['MONGODB_URL']).connect();
  const db = client.db('animal-store-bench');
  await db.dropDatabase();
  const catalogue = new MongoPetCatalogue(db);
  await catalogue.init();
  for (const pet of animals()) await catalogue.add(pet);
  const store = side === 'ours' ? catalogue : new BareMongodb(db, BigInt(settings.animals));
  return {
    store,
    async close() {
      await db.dropDatabase();
      await client.close();
    },
  };
}

function animals() {
  return Array.from({ length: settings.animals }, (_, i) => {
    const { name, categoryId, status } = animal(i + 1);
    return Object.freeze({ name, categoryId: BigInt(categoryId), status });
  });
}

/** Runs an operation for some seconds, and returns the CPU time of one. */
async function run({ method, argument }, seconds) {
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let count = 0;
  const caller = async () => {
    while (performance.now() < end)
      for (let i = 0; i < settings.batch; i++) await store[method](argument(count++ % settings.animals));
  };
  await Promise.all(Array.from({ length: settings.concurrency }, caller));
  const { user, system } = process.cpuUsage(before);
  return { user: user / count, system: system / count };
}
