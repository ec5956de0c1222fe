import { hash } from 'node:crypto';
import process from 'node:process';

/** The statements of an application that uses `node:sqlite` by itself, with the table and the durability of the adapter. */
export class BareSqlite {
  #database;
  #insert;
  #insertWithId;
  #remember;
  #all;
  #byId;
  #after;
  #afterByStatus;

  constructor(file) {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, categoryId INTEGER NOT NULL, status TEXT) STRICT;
      CREATE INDEX IF NOT EXISTS petsByStatus ON pets (status, id);
      CREATE TABLE IF NOT EXISTS creations (digest BLOB PRIMARY KEY, petId INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS creationsByTime ON creations (at)`);
    const prepare = (sql) => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    };
    this.#database = database;
    this.#insertWithId = prepare('INSERT INTO pets (id, name, categoryId, status) VALUES (?, ?, ?, ?)');
    this.#remember = prepare('INSERT INTO creations (digest, petId, at) VALUES (?, ?, ?)');
    this.#all = prepare('SELECT * FROM pets ORDER BY id');
    this.#insert = prepare('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)');
    this.#byId = prepare('SELECT * FROM pets WHERE id = ?');
    this.#after = prepare('SELECT * FROM pets WHERE id > ? ORDER BY id LIMIT ?');
    this.#afterByStatus = prepare('SELECT * FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?');
  }

  async add({ name, categoryId, status }) {
    const { lastInsertRowid: id } = this.#insert.run(name, categoryId, status);
    return { id, name, categoryId, status };
  }

  /** Inserts animals with their ids, so many in a transaction. `keyOf` gives the key of a creation to remember, if any. */
  addAll(pets, atOnce, keyOf) {
    let begun = 0;
    for (const { id, name, categoryId, status } of pets) {
      if (begun === 0) this.#database.exec('BEGIN IMMEDIATE');
      this.#insertWithId.run(id, name, categoryId, status);
      if (keyOf !== undefined) this.#remember.run(hash('sha256', keyOf(id), 'buffer'), id, Date.now());
      begun = (begun + 1) % atOnce;
      if (begun === 0) this.#database.exec('COMMIT');
    }
    if (begun > 0) this.#database.exec('COMMIT');
  }

  /** Every animal, one at a time. */
  all() {
    return this.#all.iterate();
  }

  async list({ limit, status, after = 0n }) {
    return status === undefined ? this.#after.all(after, limit + 1) : this.#afterByStatus.all(status, after, limit + 1);
  }

  async find(id) {
    return this.#byId.get(id);
  }
}
