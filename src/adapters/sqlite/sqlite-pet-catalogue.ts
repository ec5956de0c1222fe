import {
  IDEMPOTENCY_KEY_RETENTION_MS,
  replayCreation,
  type CreationRecord,
  type PetCreation,
} from '../../domain/idempotency-key.js';
import type { PetCatalogue, PetPage, PetQuery, Restoration } from '../../domain/pet-catalogue.js';
import { isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../domain/pet.js';
import { digestOf } from './digest.js';
import { valuesOf, type Row, type SqlValue, type Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** How long an idempotency key is remembered: an hour longer than promised, in case a clock is set back. */
const KEPT_MS = IDEMPOTENCY_KEY_RETENTION_MS + 3_600_000;

/** How many old keys each creation removes. It adds only one, so old keys never pile up. */
const FORGET_AT_ONCE = 16;

/** How many animals one statement restores. Per animal, it takes half as long as a statement for one. */
const ROWS_AT_ONCE = 50;

/** How long one transaction that restores may run, in milliseconds. Other calls run between two of them. */
const RESTORE_SLICE_MS = 15;

/** How many creations one statement reads. */
const CREATIONS_AT_ONCE = 500;

/** The columns of an animal, which have the names of its members. */
const MEMBERS = PET_MEMBER_NAMES.join(', ');
const COLUMNS = `id, ${MEMBERS}`;
type CreationValues = readonly [digest: Uint8Array, petId: bigint, at: bigint];

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
  readonly #restoreRows: Statement;
  readonly #restoreRow: Statement;
  readonly #creationsAfter: Statement;
  readonly #creation: Statement;

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
    this.#restoreRows = database.prepare(restoreSql(ROWS_AT_ONCE));
    this.#restoreRow = database.prepare(restoreSql(1));
    this.#creationsAfter = database.prepare(
      `SELECT digest, petId, at FROM creations WHERE digest > ? ORDER BY digest LIMIT ${CREATIONS_AT_ONCE}`,
    );
    this.#creation = database.prepare('SELECT petId FROM creations WHERE digest = ?');
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

  async restore(pets: readonly Pet[]): Promise<Restoration> {
    return this.#inSlices(pets, ROWS_AT_ONCE, (batch) => {
      const insert = batch.length === ROWS_AT_ONCE ? this.#restoreRows : this.#restoreRow;
      const taken = insert === this.#restoreRows ? batch : batch.slice(0, 1);
      const { changes } = insert.run(...taken.flatMap(columnsOf));
      const isAll = Number(changes) === taken.length;
      const refused = isAll ? [] : placesOf(taken, (pet) => !this.#holds(pet));
      return { taken: taken.length, restored: Number(changes), refused };
    });
  }

  async *listCreations(): AsyncGenerator<CreationRecord> {
    let after: SqlValue = Buffer.alloc(0);
    let rows: readonly Row[];
    do {
      const beyond = after;
      rows = await this.#database.read(() => this.#creationsAfter.all(beyond));
      for (const row of rows) {
        const [digest, petId, at] = valuesOf(row) as CreationValues;
        yield { sha256: Buffer.from(digest).toString('hex'), petId, at: new Date(Number(at)) };
        after = digest;
      }
    } while (rows.length === CREATIONS_AT_ONCE);
  }

  async restoreCreations(creations: readonly CreationRecord[]): Promise<Restoration> {
    return this.#inSlices(creations, 1, ([creation]) => {
      const { sha256, petId, at } = creation as CreationRecord;
      const digest = Buffer.from(sha256, 'hex');
      const known = this.#creation.get(digest);
      if (known !== undefined) {
        return { taken: 1, restored: 0, refused: valuesOf(known)[0] === petId ? [] : [0] };
      }
      if (this.#byId.get(petId) === undefined) return { taken: 1, restored: 0, refused: [0] };
      this.#remember.run(digest, petId, at.getTime());
      return { taken: 1, restored: 1, refused: [] };
    });
  }

  /**
   * Restores records in transactions that each run for a short time.
   *
   * @param restoreSome Restores the first few of some records, within a transaction. Returns how many it has processed (`taken`),
   * and the positions of those that it refused.
   */
  async #inSlices<T>(
    records: readonly T[],
    atOnce: number,
    restoreSome: (records: readonly T[]) => Pick<Restoration, 'restored' | 'refused'> & { readonly taken: number },
  ): Promise<Restoration> {
    const refused: number[] = [];
    let restored = 0;
    let begun = 0;
    while (begun < records.length) {
      const slice = await this.#database.write(() => {
        const end = performance.now() + RESTORE_SLICE_MS;
        const done = { next: begun, restored: 0, refused: [] as number[] };
        do {
          const some = restoreSome(records.slice(done.next, done.next + atOnce));
          done.restored += some.restored;
          done.refused.push(...some.refused.map((place) => done.next + place));
          done.next += some.taken;
        } while (done.next < records.length && performance.now() < end);
        return done;
      });
      begun = slice.next;
      restored += slice.restored;
      refused.push(...slice.refused);
    }
    return { restored, present: records.length - restored - refused.length, refused };
  }

  #holds(pet: Pet): boolean {
    const row = this.#byId.get(pet.id);
    return row !== undefined && isSamePet(petOf(row), pet);
  }

  #add(newPet: NewPet): Pet {
    const { lastInsertRowid } = this.#insert.run(...valuesOfMembers(newPet));
    return makePet(BigInt(lastInsertRowid), newPet);
  }
}

/** The statement that inserts some animals with their ids, except those whose id is taken. */
function restoreSql(rows: number): string {
  const row = `(?${', ?'.repeat(PET_MEMBER_NAMES.length)})`;
  const values = Array.from({ length: rows }, () => row).join(', ');
  return `INSERT INTO pets (${COLUMNS}) VALUES ${values} ON CONFLICT (id) DO NOTHING`;
}

/** The values of an animal, in the order of {@link COLUMNS}. */
function columnsOf(pet: Pet): SqlValue[] {
  return [pet.id, ...valuesOfMembers(pet)];
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
