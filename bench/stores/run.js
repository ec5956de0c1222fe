/**
 * Runs operations on one store as it is told: `node stores/run.js memory|mongodb ours|bare`. Prints a line when it is ready.
 * For each line `NAME TIMES` of its input it runs the operation of that name so often, and prints how much user CPU time this
 * process has used so far, in microseconds. The server of prepared replies is at `MONGODB_URL`.
 */
import process from 'node:process';
import { createInterface } from 'node:readline';
import { animal, ANIMALS } from '../animals.js';
import { load } from '../servers/parts/animal-store.js';
import { BareMemory } from './bare-memory.js';
import { BareMongodb } from './bare-mongodb.js';
import { OPERATIONS } from './operations.js';

/** How many operations wait for a store at a time. */
const CONCURRENCY = { memory: 1, mongodb: 16 };

const [kind, side] = process.argv.slice(2);
let count = 0;
const store = await (kind === 'memory' ? openMemory() : openMongodb());
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  const [name, times] = line.split(' ');
  await run(
    OPERATIONS.find((operation) => operation.name === name),
    Number(times),
  );
  console.log(process.cpuUsage().user);
}

async function openMemory() {
  const { InMemoryPetCatalogue } = await load('animal-store/in-memory');
  const store = side === 'ours' ? new InMemoryPetCatalogue() : new BareMemory();
  for (let number = 1; number <= ANIMALS; number++) {
    const { name, categoryId, status } = animal(number);
    await store.add(Object.freeze({ name, categoryId: BigInt(categoryId), status }));
  }
  return store;
}

async function openMongodb() {
  const { createMongoClient, MongoPetCatalogue } = await load('animal-store/mongodb');
  const client = await createMongoClient(process.env['MONGODB_URL']).connect();
  return side === 'ours' ? new MongoPetCatalogue(client.db()) : new BareMongodb(client.db(), BigInt(ANIMALS));
}

async function run({ method, argument }, times) {
  const end = count + times;
  const caller = async () => {
    while (count < end) await store[method](argument(count++));
  };
  await Promise.all(Array.from({ length: CONCURRENCY[kind] }, caller));
}
