/**
 * Runs operations on one store as it is told: `node stores/run.js memory|sqlite|mongodb ours|bare`. Prints a line when it is ready.
 * For each line `NAME TIMES` of its input it runs the operation of that name so often, and prints how much user CPU time this
 * process has used so far, in microseconds. For each line `NAME TIMES AT_ONCE` it starts so many operations at once, as often as
 * `TIMES` says, and prints as JSON how long they blocked the event loop. The server of prepared replies is at `MONGODB_URL`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { animal, ANIMALS } from '../animals.js';
import { load } from '../servers/parts/animal-store.js';
import { BareMemory } from './bare-memory.js';
import { BareMongodb } from './bare-mongodb.js';
import { BareSqlite } from './bare-sqlite.js';
import { OPERATIONS } from './operations.js';

/** How many operations wait for a store at a time, unless an operation says otherwise. */
const CONCURRENCY = { memory: 1, sqlite: 16, mongodb: 16 };

const [kind, side] = process.argv.slice(2);
let count = 0;
const store = await { memory: openMemory, sqlite: openSqlite, mongodb: openMongodb }[kind]();
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  const [name, times, atOnce] = line.split(' ');
  const operation = OPERATIONS.find((each) => each.name === name);
  if (atOnce === undefined) {
    await run(operation, Number(times));
    console.log(process.cpuUsage().user);
  } else {
    console.log(JSON.stringify(await blockedBy(operation, Number(times), Number(atOnce))));
  }
}

async function openMemory() {
  const { InMemoryPetCatalogue } = await load('animal-store/in-memory');
  return filled(side === 'ours' ? new InMemoryPetCatalogue() : new BareMemory());
}

async function openSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'animals.db');
  if (side === 'bare') return filled(new BareSqlite(file));
  const { openSqliteDatabase, SqlitePetCatalogue } = await load('animal-store/sqlite');
  return filled(new SqlitePetCatalogue(await openSqliteDatabase(file)));
}

async function filled(store) {
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

async function run({ method, argument, concurrency = CONCURRENCY[kind] }, times) {
  const end = count + times;
  const caller = async () => {
    while (count < end) await store[method](argument(count++));
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
}

/** The median and the 99th percentile of the longest turns of the event loop, in microseconds. */
async function blockedBy({ method, argument }, times, atOnce) {
  const longest = [];
  for (let i = 0; i < times; i++) {
    const start = () => Promise.all(Array.from({ length: atOnce }, async () => store[method](argument(count++))));
    longest.push(1000 * (await longestTurnOf(start)));
  }
  longest.sort((a, b) => a - b);
  return { median: longest[Math.floor(times / 2)], p99: longest[Math.floor(0.99 * times)] };
}

/** How long the longest turn of the event loop takes until what is started has ended, in milliseconds. */
async function longestTurnOf(start) {
  let longest = 0;
  let hasEnded = false;
  await nextTurn();
  let last = performance.now();
  const ended = start().finally(() => (hasEnded = true));
  for (let isLast = false; !isLast;) {
    isLast = hasEnded;
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await ended;
  return longest;
}
