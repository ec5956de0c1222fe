/**
 * Moves animals into or out of a store: `node move/run.js sqlite|mongodb import|restore|export ours|bare|bare-with-keys COUNT
 * [FILE]`, but nothing out of MongoDB. FILE is the database of SQLite, by default a new one. An export of a new one fills it first,
 * in another process, whose time and memory do not count. Prints as JSON the CPU time that it took, in microseconds, the greatest
 * resident memory of the process, in bytes, and the longest time that it blocked the event loop, in milliseconds. The MongoDB server,
 * of prepared replies and without animals, is at `MONGODB_URL`.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { animal } from '../animals.js';
import { load } from '../servers/parts/animal-store.js';
import { BareMongodb } from '../stores/bare-mongodb.js';
import { BareSqlite } from '../stores/bare-sqlite.js';

/** How many animals the bare loop inserts at a time. */
const AT_ONCE = 1000;

/** How many characters of text are written at a time. */
const TEXT_AT_ONCE = 65_536;

const [kind, what, side, count, given] = process.argv.slice(2);
/** Whether the bare loop stores the keys of an import, too. */
const withKeys = side === 'bare-with-keys';
const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const file = given ?? join(folder, 'animals.db');
if (what === 'export' && given === undefined) {
  const filling = [fileURLToPath(import.meta.url), kind, 'restore', side, count, file];
  execFileSync(process.execPath, [...process.execArgv, ...filling]);
}
const store = await { sqlite: openSqlite, mongodb: openMongodb }[kind]();
const run = await (side === 'ours' ? prepareOurs : prepareBare)(store);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const before = process.cpuUsage();
await run();
const { user, system } = process.cpuUsage(before);
// The timer of the monitor has to fire once after the last block.
await new Promise((resolve) => setTimeout(resolve, 5));
console.log(
  JSON.stringify({ cpu: user + system, rss: process.resourceUsage().maxRSS * 1024, blocked: delay.max / 1e6 }),
);
await store.close();

async function openSqlite() {
  const close = async () => undefined;
  if (side !== 'ours') return { bare: new BareSqlite(file), close };
  const { openSqliteDatabase, SqlitePetCatalogue } = await load('animal-store/sqlite');
  return { catalogue: new SqlitePetCatalogue(await openSqliteDatabase(file)), close };
}

async function openMongodb() {
  const { createMongoClient, MongoPetCatalogue } = await load('animal-store/mongodb');
  const client = await createMongoClient(process.env['MONGODB_URL']).connect();
  const close = async () => client.close();
  return { catalogue: new MongoPetCatalogue(client.db()), bare: new BareMongodb(client.db(), 0n), close };
}

async function prepareOurs({ catalogue }) {
  const { exportStore, importPets, restoreStore } = await load('animal-store/moving');
  if (what === 'restore') return () => restoreStore({ catalogue }, records());
  if (what === 'import') return () => importPets({ catalogue }, petsToImport());
  return () => writeLines(petsOf(exportStore({ catalogue }, { animalsOnly: true })));
}

async function prepareBare({ bare }) {
  if (what === 'export') return () => writeLines(bare.all());
  return () => bare.addAll(pets(), AT_ONCE, withKeys ? keyOf : undefined);
}

function* pets() {
  for (let number = 1; number <= Number(count); number++) {
    const { name, categoryId, status } = animal(number);
    yield { id: BigInt(number), name, categoryId: BigInt(categoryId), status };
  }
}

function keyOf(id) {
  return `bench ${id}`;
}

function* records() {
  for (const pet of pets()) yield { kind: 'pet', pet };
}

function* petsToImport() {
  for (const { id, ...input } of pets()) yield { input, idempotencyKey: keyOf(id) };
}

async function* petsOf(exported) {
  for await (const { pet } of exported) yield pet;
}

/** Writes each animal as a line of JSON. */
async function writeLines(animals) {
  const output = openSync(join(folder, 'animals.ndjson'), 'w');
  let text = '';
  for await (const { id, name, categoryId, status } of animals) {
    text += `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":${JSON.stringify(status)}}\n`;
    if (text.length < TEXT_AT_ONCE) continue;
    writeSync(output, text);
    text = '';
  }
  writeSync(output, text);
  closeSync(output);
}
