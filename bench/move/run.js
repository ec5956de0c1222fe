/**
 * Moves animals into or out of an SQLite file: `node move/run.js import|restore|export ours|bare COUNT`. Prints as JSON the CPU time
 * that it took, in microseconds, the greatest resident memory of the process, in bytes, and the longest time that it blocked the event
 * loop, in milliseconds.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { animal } from '../animals.js';
import { load } from '../servers/parts/animal-store.js';
import { BareSqlite } from '../stores/bare-sqlite.js';

/** How many animals the bare loop stores in a transaction. */
const TRANSACTION = 1000;

/** How many characters of text are written at a time. */
const TEXT_AT_ONCE = 65_536;

const [what, side, count] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'animals.db');

const { run } = await { ours: prepareOurs, bare: prepareBare }[side]();
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

async function prepareOurs() {
  const { openSqliteDatabase, SqlitePetCatalogue } = await load('animal-store/sqlite');
  const { exportStore, importPets, restoreStore } = await load('animal-store/moving');
  const catalogue = new SqlitePetCatalogue(await openSqliteDatabase(file));
  const restore = () => restoreStore({ catalogue }, records());
  if (what === 'restore') return { run: restore };
  if (what === 'import') return { run: () => importPets({ catalogue }, petsToImport()) };
  await restore();
  return { run: () => writeLines(petsOf(exportStore({ catalogue }, { animalsOnly: true }))) };
}

async function prepareBare() {
  const store = new BareSqlite(file);
  const insert = () => store.addAll(pets(), TRANSACTION, what === 'import' ? keyOf : undefined);
  if (what !== 'export') return { run: insert };
  insert();
  return { run: () => writeLines(store.all()) };
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
