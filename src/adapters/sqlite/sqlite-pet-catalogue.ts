import { IDEMPOTENCY_KEY_RETENTION_MS, replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import { makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../domain/pet.js';
import { digestOf } from './digest.js';
import { valuesOf, type Row, type Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** How long an idempotency key is remembered: an hour longer than promised, in case a clock is set back. */
const KEPT_MS = IDEMPOTENCY_KEY_RETENTION_MS + 3_600_000;

/** How many old keys one creation forgets. It remembers one, so old ones never pile up. */
const FORGET_AT_ONCE = 16;

/** The columns of an animal, which have the names of its members. */
const MEMBERS = PET_MEMBER_NAMES.join(', ');
const COLUMNS = `id, ${MEMBERS}`;

/** A {@link PetCatalogue} in an SQLite file. Its statements are prepared once. */
export class SqlitePetCatalogue implements PetCatalogue {
  readonly #database: SqliteDatabase;
  readonly #insert: Statement;
  readonly #byId: Statement;
  readonly #after: Statement;
  readonly #afterByStatus: Statement;
  readonly #byDigest: Statement;
  readonly #remember: Statement;
  readonly #forget: Statement;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#insert = database.prepare(`INSERT INTO pets (${MEMBERS}) VALUES (${PET_MEMBER_NAMES.map(() => '?').join()})`);
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id = ?`);
    this.#after = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
    this.#afterByStatus = database.prepare(
      `SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#byDigest = database.prepare(`SELECT ${COLUMNS} FROM creations JOIN pets ON id = petId WHERE digest = ?`);
    this.#remember = database.prepare('REPLACE INTO creations (digest, petId, at) VALUES (?, ?, ?)');
    this.#forget = database.prepare(
      `DELETE FROM creations WHERE digest IN (SELECT digest FROM creations WHERE at < ? ORDER BY at LIMIT ${FORGET_AT_ONCE})`,
    );
  }

  async add(newPet: NewPet): Promise<Pet> {
    return this.#database.write(() => this.#add(newPet));
  }

  async addOnce(newPet: NewPet, idempotencyKey: string): Promise<PetCreation> {
    const digest = digestOf(idempotencyKey);
    return this.#database.write(() => {
      const now = Date.now();
      this.#forget.run(now - KEPT_MS);
      const row = this.#byDigest.get(digest);
      if (row !== undefined) return replayCreation(petOf(row), newPet);
      const pet = this.#add(newPet);
      this.#remember.run(digest, pet.id, now);
      return { pet, replayed: false };
    });
  }

  async list({ limit, status, after = 0n }: PetQuery): Promise<PetPage> {
    const rows = await this.#database.read(() =>
      status === undefined ? this.#after.all(after, limit + 1) : this.#afterByStatus.all(status, after, limit + 1),
    );
    const hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    const pets = rows.map(petOf);
    const last = pets.at(-1);
    return hasMore && last !== undefined ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint): Promise<Pet | undefined> {
    const row = await this.#database.read(() => this.#byId.get(id));
    return row && petOf(row);
  }

  #add(newPet: NewPet): Pet {
    const values = PET_MEMBER_NAMES.map((member) => newPet[member] ?? null);
    const { lastInsertRowid } = this.#insert.run(...values);
    return makePet(BigInt(lastInsertRowid), newPet);
  }
}

/** The animal of a row. The table's constraints leave no other types. */
function petOf(row: Row): Pet {
  const [id, ...values] = valuesOf(row);
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  PET_MEMBER_NAMES.forEach((member, i) => (members[member] = values[i] ?? undefined));
  return makePet(id as bigint, members as unknown as NewPet);
}
