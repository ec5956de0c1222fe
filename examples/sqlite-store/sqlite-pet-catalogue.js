import { makePet } from 'animal-store';
import { attempt } from './sqlite-database.js';

/** @import { NewPet, Pet, PetCatalogue, PetPage, PetQuery } from 'animal-store' */
/** @import { Database, Statement } from 'better-sqlite3' */
/** @typedef {Pick<Pet, 'id' | 'name' | 'categoryId'> & { status: Pet['status'] | null }} Row */

/**
 * A {@link PetCatalogue} in an SQLite database. Each method runs one statement, prepared once.
 *
 * @implements {PetCatalogue}
 */
export class SqlitePetCatalogue {
  /** @type {Statement<[string, bigint, string | null]>} */
  #insert;
  /** @type {Statement<[bigint], Row>} */
  #byId;
  /** @type {Statement<[bigint, number], Row>} */
  #after;
  /** @type {Statement<[string, bigint, number], Row>} */
  #afterByStatus;

  /** @param {Database} db Opened by `openDatabase`; the caller closes it. */
  constructor(db) {
    this.#insert = db.prepare('INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)');
    this.#byId = db.prepare('SELECT * FROM pets WHERE id = ?');
    this.#after = db.prepare('SELECT * FROM pets WHERE id > ? ORDER BY id LIMIT ?');
    this.#afterByStatus = db.prepare('SELECT * FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?');
  }

  /**
   * @param {NewPet} newPet
   * @returns {Promise<Pet>}
   */
  async add(newPet) {
    const { name, categoryId, status = null } = newPet;
    const { lastInsertRowid } = attempt(() => this.#insert.run(name, categoryId, status));
    return makePet(BigInt(lastInsertRowid), newPet);
  }

  /**
   * @param {PetQuery} query
   * @returns {Promise<PetPage>}
   */
  async list({ limit, status, after = 0n }) {
    const rows = attempt(() =>
      status === undefined ? this.#after.all(after, limit + 1) : this.#afterByStatus.all(status, after, limit + 1),
    );
    const pets = rows.slice(0, limit).map(petOf);
    return rows.length > limit ? { pets, next: pets.at(-1)?.id } : { pets };
  }

  /**
   * @param {bigint} id
   * @returns {Promise<Pet | undefined>}
   */
  async find(id) {
    const row = attempt(() => this.#byId.get(id));
    return row && petOf(row);
  }
}

/**
 * @param {Row} row
 * @returns {Pet}
 */
function petOf({ id, name, categoryId, status }) {
  return makePet(id, status === null ? { name, categoryId } : { name, categoryId, status });
}
