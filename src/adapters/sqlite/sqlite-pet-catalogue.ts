import type { CallOptions } from '../../domain/call-options.js';
import {
  IDEMPOTENCY_KEY_RETENTION_MS,
  replayCreation,
  type CreationRecord,
  type PetCreation,
} from '../../domain/idempotency-key.js';
import { INT64_MAX } from '../../domain/int64.js';
import type { NewPetOnce, PetCatalogue, PetPage, PetQuery, Restoration } from '../../domain/pet-catalogue.js';
import { isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../domain/pet.js';
import { digestOf } from './digest.js';
import { valuesOf, type Row, type SqlValue } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** How long an idempotency key is remembered: an hour longer than promised, in case a clock is set back. */
const KEPT_MS = IDEMPOTENCY_KEY_RETENTION_MS + 3_600_000;

/** How many old keys each creation removes. It adds only one, so old keys never pile up. */
const FORGET_AT_ONCE = 16;

/** How many rows one statement of a batch inserts. Per row, it takes half as long as a statement for one. */
const ROWS_AT_ONCE = 50;

/**
 * How long the statements of one transaction of a batch run, in milliseconds. Other calls run between two of them. The commit blocks
 * the event loop for at least as long again, in proportion to the pages that they changed.
 */
const SLICE_MS = 8;

/** How many creations one statement reads. */
const CREATIONS_AT_ONCE = 500;

/** The columns of an animal, which have the names of its members. */
const MEMBERS = PET_MEMBER_NAMES.join(', ');
const COLUMNS = `id, ${MEMBERS}`;

/** The greatest id that an animal ever had. The first term is that of AUTOINCREMENT (https://sqlite.org/autoinc.html). */
const LAST_ID = `SELECT max(
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'pets'), 0),
  coalesce((SELECT max(id) FROM pets), 0)
)`;

type CreationValues = readonly [digest: Uint8Array, petId: bigint, at: bigint];

/**
 * A {@link PetCatalogue} in an SQLite file. Its statements are prepared once. A running statement cannot be cancelled, because it
 * blocks the event loop. A call that waits for its transaction or for a lock can be cancelled, and then stores nothing.
 */
export class SqlitePetCatalogue implements PetCatalogue {
  readonly #database: SqliteDatabase;
  readonly #sql: ReturnType<typeof statementsOf>;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#sql = statementsOf(database);
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    return this.#database.write(() => {
      options?.signal?.throwIfAborted();
      return this.#add(newPet);
    });
  }

  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    const digest = digestOf(idempotencyKey);
    return this.#database.write(() => {
      options?.signal?.throwIfAborted();
      const now = Date.now();
      this.#sql.forget.run(now - KEPT_MS, FORGET_AT_ONCE);
      return this.#addOnce(newPet, digest, now);
    });
  }

  async addManyOnce(creations: readonly NewPetOnce[]): Promise<PetCreation[]> {
    // The caller may change its objects before the last transaction.
    const kept = creations.map(({ newPet, idempotencyKey }): NewPetOnce => ({
      newPet: makePet(0n, newPet),
      idempotencyKey,
    }));
    const results = await this.#inSlices(kept, (batch) => {
      const now = Date.now();
      this.#sql.forget.run(now - KEPT_MS, batch.length * FORGET_AT_ONCE);
      const newPets = batch.map(({ newPet }) => newPet);
      const digests = batch.map(({ idempotencyKey }) => digestOf(idempotencyKey));
      const added = batch.length === ROWS_AT_ONCE ? this.#addRowsOnce(newPets, digests, now) : undefined;
      return added ?? newPets.map((newPet, i) => this.#addOnce(newPet, digests[i] as Buffer, now));
    });
    return results.flat();
  }

  async list({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<PetPage> {
    const rows = await this.#database.read(() => {
      options?.signal?.throwIfAborted();
      return status === undefined
        ? this.#sql.after.all(after, limit + 1)
        : this.#sql.afterByStatus.all(status, after, limit + 1);
    });
    const pets = rows.slice(0, limit).map(petOf);
    const last = pets.at(-1);
    return last !== undefined && rows.length > limit ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    const row = await this.#database.read(() => {
      options?.signal?.throwIfAborted();
      return this.#sql.byId.get(id);
    });
    return row && petOf(row);
  }

  async restore(pets: readonly Pet[]): Promise<Restoration> {
    const results = await this.#inSlices(pets, (batch, start) => {
      const restored = this.#restore(batch);
      const refused = restored === batch.length ? [] : placesOf(batch, (pet) => !this.#holds(pet));
      return { restored, refused: refused.map((place) => start + place) };
    });
    return restorationOf(pets.length, results);
  }

  async *listCreations(): AsyncGenerator<CreationRecord> {
    let after: SqlValue = Buffer.alloc(0);
    let rows: readonly Row[];
    do {
      const beyond = after;
      rows = await this.#database.read(() => this.#sql.creationsAfter.all(beyond));
      for (const row of rows) {
        const [digest, petId, at] = valuesOf(row) as CreationValues;
        yield { sha256: Buffer.from(digest).toString('hex'), petId, at: new Date(Number(at)) };
        after = digest;
      }
    } while (rows.length === CREATIONS_AT_ONCE);
  }

  async restoreCreations(creations: readonly CreationRecord[]): Promise<Restoration> {
    const results = await this.#inSlices(creations, (batch, start) => {
      const became = batch.map((creation) => this.#restoreCreation(creation));
      return {
        restored: became.filter((each) => each === 'restored').length,
        refused: placesOf(became, (each) => each === 'refused').map((place) => start + place),
      };
    });
    return restorationOf(creations.length, results);
  }

  /**
   * Processes records in transactions that each run for a short time. Resolves to the results of the batches.
   *
   * @param processBatch Processes at most {@link ROWS_AT_ONCE} records within a transaction, from the one at `start` on.
   */
  async #inSlices<T, Result>(
    records: readonly T[],
    processBatch: (batch: readonly T[], start: number) => Result,
  ): Promise<Result[]> {
    const results: Result[] = [];
    let begun = 0;
    while (begun < records.length) {
      const slice = await this.#database.write(() => {
        const end = performance.now() + SLICE_MS;
        const done: Result[] = [];
        let next = begun;
        do {
          done.push(processBatch(records.slice(next, next + ROWS_AT_ONCE), next));
          next += ROWS_AT_ONCE;
        } while (next < records.length && performance.now() < end);
        return { done, next };
      });
      results.push(...slice.done);
      begun = slice.next;
    }
    return results;
  }

  /** Returns how many animals were inserted. The ids of the others are taken. */
  #restore(pets: readonly Pet[]): number {
    if (pets.length === ROWS_AT_ONCE) return Number(this.#sql.restoreRows.run(...columnsOf(pets)).changes);
    return pets.reduce((restored, pet) => restored + Number(this.#sql.restoreRow.run(...columnsOf([pet])).changes), 0);
  }

  #restoreCreation({ sha256, petId, at }: CreationRecord): 'restored' | 'present' | 'refused' {
    const digest = Buffer.from(sha256, 'hex');
    const known = this.#sql.creation.get(digest);
    if (known !== undefined) return valuesOf(known)[0] === petId ? 'present' : 'refused';
    if (this.#sql.byId.get(petId) === undefined) return 'refused';
    this.#sql.remember.run(digest, petId, at.getTime());
    return 'restored';
  }

  #holds(pet: Pet): boolean {
    const row = this.#sql.byId.get(pet.id);
    return row !== undefined && isSamePet(petOf(row), pet);
  }

  #addOnce(newPet: NewPet, digest: Buffer, now: number): PetCreation {
    const row = this.#sql.byDigest.get(digest);
    if (row !== undefined) return replayCreation(petOf(row), newPet);
    const pet = this.#add(newPet);
    this.#sql.remember.run(digest, pet.id, now);
    return { pet, replayed: false };
  }

  /** Stores {@link ROWS_AT_ONCE} new animals and their keys; `undefined` if some keys are known, or too few ids are left. */
  #addRowsOnce(newPets: readonly NewPet[], digests: readonly Buffer[], now: number): PetCreation[] | undefined {
    if (this.#sql.anyCreation.get(...digests) !== undefined) return undefined;
    const last = valuesOf(this.#sql.lastId.get() as Row)[0] as bigint;
    if (last > INT64_MAX - BigInt(newPets.length)) return undefined;
    const pets = newPets.map((newPet, i) => makePet(last + BigInt(i + 1), newPet));
    this.#sql.restoreRows.run(...columnsOf(pets));
    this.#sql.rememberRows.run(...digests.flatMap((digest, i) => [digest, (pets[i] as Pet).id, now]));
    return pets.map((pet) => ({ pet, replayed: false }));
  }

  #add(newPet: NewPet): Pet {
    const { lastInsertRowid } = this.#sql.insert.run(...valuesOfMembers(newPet));
    return makePet(BigInt(lastInsertRowid), newPet);
  }
}

/** The statements of a catalogue, prepared. */
function statementsOf(database: SqliteDatabase) {
  const pets = `SELECT ${COLUMNS} FROM pets`;
  return {
    insert: database.prepare(`INSERT INTO pets (${MEMBERS}) VALUES (${parameters(PET_MEMBER_NAMES.length)})`),
    byId: database.prepare(`${pets} WHERE id = ?`),
    after: database.prepare(`${pets} WHERE id > ? ORDER BY id LIMIT ?`),
    afterByStatus: database.prepare(`${pets} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`),
    byDigest: database.prepare(`SELECT ${COLUMNS} FROM creations JOIN pets ON id = petId WHERE digest = ?`),
    anyCreation: database.prepare(`SELECT 1 FROM creations WHERE digest IN (${parameters(ROWS_AT_ONCE)}) LIMIT 1`),
    lastId: database.prepare(LAST_ID),
    remember: database.prepare(rememberSql(1)),
    rememberRows: database.prepare(rememberSql(ROWS_AT_ONCE)),
    forget: database.prepare(
      `DELETE FROM creations WHERE digest IN (SELECT digest FROM creations WHERE at < ? ORDER BY at LIMIT ?)`,
    ),
    restoreRow: database.prepare(restoreSql(1)),
    restoreRows: database.prepare(restoreSql(ROWS_AT_ONCE)),
    creation: database.prepare('SELECT petId FROM creations WHERE digest = ?'),
    creationsAfter: database.prepare(
      `SELECT digest, petId, at FROM creations WHERE digest > ? ORDER BY digest LIMIT ${CREATIONS_AT_ONCE}`,
    ),
  };
}

/** The statement that inserts some animals with their ids, except those whose id is taken. */
function restoreSql(rows: number): string {
  return `INSERT INTO pets (${COLUMNS}) VALUES ${rowsOf(rows, PET_MEMBER_NAMES.length + 1)} ON CONFLICT (id) DO NOTHING`;
}

/** The statement that remembers some creations. */
function rememberSql(rows: number): string {
  return `REPLACE INTO creations (digest, petId, at) VALUES ${rowsOf(rows, 3)}`;
}

/** Parameters for some rows. */
function rowsOf(rows: number, columns: number): string {
  const row = `(${parameters(columns)})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

function parameters(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

function restorationOf(count: number, results: readonly Pick<Restoration, 'restored' | 'refused'>[]): Restoration {
  const restored = results.reduce((sum, result) => sum + result.restored, 0);
  const refused = results.flatMap((result) => result.refused);
  return { restored, present: count - restored - refused.length, refused };
}

/** The values of animals, one after the other, each in the order of {@link COLUMNS}. */
function columnsOf(pets: readonly Pet[]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const pet of pets) {
    values.push(pet.id);
    for (const member of PET_MEMBER_NAMES) values.push(pet[member] ?? null);
  }
  return values;
}

function valuesOfMembers(newPet: NewPet): SqlValue[] {
  return PET_MEMBER_NAMES.map((member) => newPet[member] ?? null);
}

/** The positions of the values that pass a test. */
function placesOf<T>(values: readonly T[], test: (value: T) => boolean): number[] {
  return values.flatMap((value, i) => (test(value) ? [i] : []));
}

/** The animal of a row. The table's constraints leave no other types. */
function petOf(row: Row): Pet {
  const [id, ...values] = valuesOf(row);
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  PET_MEMBER_NAMES.forEach((member, i) => (members[member] = values[i] ?? undefined));
  return makePet(id as bigint, members as unknown as NewPet);
}
