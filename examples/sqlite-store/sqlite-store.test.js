import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract } from 'animal-store/contract';
import { SqliteApiKeys } from './sqlite-api-keys.js';
import { openDatabase } from './sqlite-database.js';
import { SqlitePetCatalogue } from './sqlite-pet-catalogue.js';

/** @import { Database } from 'better-sqlite3' */

const REX = /** @type {const} */ ({ name: 'Rex', categoryId: -9_223_372_036_854_775_808n, status: 'sold' });

describe('the SQLite store', () => {
  const runner = { describe, it };
  /** @type {string} */
  let folder;
  /** @type {Database[]} */
  const databases = [];
  const newFile = () => join(folder, `${randomUUID()}.db`);

  /** @param {Parameters<typeof openDatabase>} args */
  function open(...args) {
    const db = openDatabase(...args);
    databases.push(db);
    return db;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'animals-'));
  });
  after(async () => {
    for (const db of databases) db.close();
    await rm(folder, { recursive: true });
  });

  verifyPetCatalogueContract({ createCatalogue: () => new SqlitePetCatalogue(open(newFile())), runner });

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const apiKeys = new SqliteApiKeys(open(newFile()));
      const keys = [];
      for (const name of names) keys.push((await apiKeys.create({ name })).key);
      return { apiKeys, keys };
    },
    runner,
  });

  verifyApiKeyRegistryContract({
    createRegistry: () => {
      const registry = new SqliteApiKeys(open(newFile()));
      return { registry, apiKeys: registry };
    },
    runner,
  });

  it('keeps animals and keys when it is closed', async () => {
    const file = newFile();
    const first = open(file);
    const rex = await new SqlitePetCatalogue(first).add(REX);
    const { key } = await new SqliteApiKeys(first).create({ name: 'anna' });
    first.close();
    const second = open(file);
    assert.deepEqual(await new SqlitePetCatalogue(second).find(rex.id), { id: rex.id, ...REX });
    assert.deepEqual(await new SqliteApiKeys(second).verify(key), { name: 'anna' });
  });

  it('shares its file with other processes', async () => {
    const file = newFile();
    const [here, there] = [new SqlitePetCatalogue(open(file)), new SqlitePetCatalogue(open(file))];
    const rex = await here.add(REX);
    assert.deepEqual(await there.find(rex.id), rex);
    assert.equal((await there.add(REX)).id, rex.id + 1n);
  });

  it('never gives the id of a deleted animal again', async () => {
    const db = open(newFile());
    const catalogue = new SqlitePetCatalogue(db);
    const rex = await catalogue.add(REX);
    db.exec('DELETE FROM pets');
    assert.equal((await catalogue.add(REX)).id, rex.id + 1n);
  });

  it('rejects with store_unavailable while another process has the database locked', async () => {
    const file = newFile();
    const catalogue = new SqlitePetCatalogue(open(file, { busyTimeoutMs: 10 }));
    const other = open(file);
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(catalogue.add(REX), { name: 'AnimalStoreError', code: 'store_unavailable' });
    other.exec('ROLLBACK');
    assert.equal((await catalogue.add(REX)).id, 1n);
  });

  it('passes every other error through', async () => {
    const db = open(newFile());
    const catalogue = new SqlitePetCatalogue(db);
    db.close();
    await assert.rejects(catalogue.add(REX), TypeError);
  });

  it('writes no key to its files', async () => {
    const file = newFile();
    const { key } = await new SqliteApiKeys(open(file)).create({ name: 'anna' });
    const bytes = Buffer.concat([await readFile(file), await readFile(`${file}-wal`)]);
    assert.ok(bytes.includes('anna'));
    assert.ok(!bytes.includes(key));
  });
});
