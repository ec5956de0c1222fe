/**
 * Moves animals into or out of a store: `node move.js memory|mongodb|sqlite import|restore|export ours|bare COUNT`. Prints the CPU time
 * that it took, in microseconds. What it does before, such as filling a store to export, does not count. The database is at `MONGODB_URL`.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { exportStore, importPets, restoreStore } from '../dist/src/application/transfer/index.js';
import { animal } from './animals.js';

/** How many animals a bare loop stores at a time, as `restoreStore` does. */
const BATCH = 1000;

const [store, move, side, count] = process.argv.slice(2);

/** The animals of an import. */
const pets = Array.from({ length: Number(count) }, (_, i) => {
  const { name, categoryId, status } = animal(i + 1);
  return { input: { name, categoryId: BigInt(categoryId), status }, idempotencyKey: `bench ${i + 1}` };
});
/** The same animals for a restore, each with the digest of its idempotency key. */
const records = pets.map(({ input, idempotencyKey }, i) => ({
  kind: 'pet',
  pet: { id: BigInt(i + 1), ...input },
  idempotencyDigest: hash('sha256', idempotencyKey),
}));

const openings = { memory: openMemory, mongodb: openMongodb, sqlite: openSqlite };
const { catalogue, bare, close } = await openings[store]();
const moves = side === 'ours' ? movesOf(catalogue) : movesOfBare(bare);
if (move === 'export') await moves.restore();
const before = process.cpuUsage();
await moves[move]();
const { user, system } = process.cpuUsage(before);
console.log(user + system);
await close?.();

function movesOf(catalogue) {
  return {
    import: () => importPets({ catalogue }, pets),
    restore: () => restoreStore({ catalogue }, records),
    export: () => consume(exportStore({ catalogue })),
  };
}

function movesOfBare({ insert, all }) {
  const inBatches = async (digestOf) => {
    for (let start = 0; start < records.length; start += BATCH) {
      const batch = records.slice(start, start + BATCH);
      await insert(batch.map(({ pet }, i) => ({ ...pet, digest: digestOf(start + i) })));
    }
  };
  return {
    import: () => inBatches((i) => hash('sha256', pets[i].idempotencyKey, 'buffer')),
    restore: () => inBatches((i) => Buffer.from(records[i].idempotencyDigest, 'hex')),
    export: () => consume(all()),
  };
}

async function consume(values) {
  let seen = 0;
  for await (const value of values) seen += value === undefined ? 0 : 1;
  if (seen !== records.length) throw new Error(`${seen} animals were exported, not ${records.length}`);
}

async function openMemory() {
  const { InMemoryPetCatalogue } = await import('../dist/src/adapters/in-memory/index.js');
  return { catalogue: new InMemoryPetCatalogue() };
}

/** The bare loop is the driver's `insertMany` and cursor, with the indexes, the types and the write concern of the adapter. */
async function openMongodb() {
  const { createMongoClient, MongoPetCatalogue, prepareDatabase } =
    await import('../dist/src/adapters/mongodb/index.js');
  const client = await createMongoClient(process.env['MONGODB_URL']).connect();
  await prepareDatabase(client.db());
  const collection = client.db().collection('pets', {
    promoteLongs: false,
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
  });
  const bare = {
    async insert(pets) {
      const documents = pets.map(({ id, ...members }) => ({ _id: id, ...members }));
      await collection.insertMany(documents, { ordered: false });
    },
    all: () => collection.find().sort({ _id: 1 }).batchSize(BATCH),
  };
  return { catalogue: new MongoPetCatalogue(client.db()), bare, close: async () => client.close() };
}

/** The bare loop is a prepared statement, with the table, the indexes and the durability of the adapter. */
async function openSqlite() {
  const { openSqliteDatabase, SqlitePetCatalogue } = await import('../dist/src/adapters/sqlite/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'animals.db');
  const adapter = await openSqliteDatabase(file);
  if (side === 'ours') return { catalogue: new SqlitePetCatalogue(adapter) };

  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const insert = database.prepare('INSERT INTO pets (id, name, categoryId, status, digest) VALUES (?, ?, ?, ?, ?)');
  const select = database.prepare('SELECT id, name, categoryId, status, digest FROM pets ORDER BY id');
  select.setReadBigInts(true);
  const bare = {
    insert(pets) {
      database.exec('BEGIN IMMEDIATE');
      for (const { id, name, categoryId, status, digest } of pets) insert.run(id, name, categoryId, status, digest);
      database.exec('COMMIT');
    },
    all: () => select.iterate(),
  };
  return { bare };
}
