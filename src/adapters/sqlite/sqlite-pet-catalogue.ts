import { hash } from 'node:crypto';
import { throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import { INT64_MAX } from '../../domain/int64.js';
import type { PetCatalogue, PetPage, PetQuery, PetRecord, RestoreResult } from '../../domain/pet-catalogue.js';
import { faultsOfNewPet, isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../domain/pet.js';
import { valuesOf, type Row, type SqlValue, type Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { FULL, resultCodeOf, SqliteFileError } from './sqlite-errors.js';

const RECORDS_AT_ONCE = 500;

const MEMBERS = PET_MEMBER_NAMES.join(', ');
const COLUMNS = `id, ${MEMBERS}`;
/** The digest is in hexadecimal digits; an empty text if there is none. */
const RECORD_COLUMNS = `${COLUMNS}, lower(hex(digest))`;

/**
 * A {@link PetCatalogue} in an SQLite file. Its statements are prepared once. A running statement cannot be cancelled, because it
 * blocks the event loop. A call that waits for its transaction or for a lock can be cancelled, and then stores nothing.
 *
 * A row whose id is less than 1 is no animal: no call sees it. A call that meets an animal that breaks a rule, because another
 * program has written it, rejects with a `SqliteFileError` that names its id.
 */
export class SqlitePetCatalogue implements PetCatalogue {
  readonly #database: SqliteDatabase;
  readonly #insert: Statement;
  readonly #restore: Statement;
  readonly #byId: Statement;
  readonly #recordsAfter: Statement;
  readonly #byDigest: Statement;
  readonly #after: Statement;
  readonly #afterByStatus: Statement;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    const parameters = PET_MEMBER_NAMES.map(() => '?').join(', ');
    this.#database = database;
    this.#insert = database.prepare(
      `INSERT INTO pets (${MEMBERS}, digest) VALUES (${parameters}, unhex(?)) ON CONFLICT (digest) WHERE digest IS NOT NULL DO NOTHING`,
    );
    this.#restore = database.prepare(
      `INSERT INTO pets (${COLUMNS}, digest) VALUES (?, ${parameters}, unhex(?)) ON CONFLICT DO NOTHING`,
    );
    this.#byId = database.prepare(`SELECT ${RECORD_COLUMNS} FROM pets WHERE id = ? AND id > 0`);
    this.#recordsAfter = database.prepare(`SELECT ${RECORD_COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
    this.#byDigest = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE digest = unhex(?) AND id > 0`);
    this.#after = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
    this.#afterByStatus = database.prepare(
      `SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    );
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    return (await this.#create(newPet, null, options)).pet;
  }

  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    return this.#create(newPet, hash('sha256', idempotencyKey), options);
  }

  async list({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<PetPage> {
    const rows = await this.#database.read(() => {
      throwIfAborted(options?.signal);
      return status === undefined
        ? this.#after.all(after, limit + 1)
        : this.#afterByStatus.all(status, after, limit + 1);
    });
    const pets = rows.slice(0, limit).map((row) => this.#petOf(row));
    const last = pets.at(-1);
    return last !== undefined && rows.length > limit ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    const row = await this.#database.read(() => {
      throwIfAborted(options?.signal);
      return this.#byId.get(id);
    });
    return row && this.#petOf(row);
  }

  async *records(after = 0n): AsyncGenerator<PetRecord> {
    let last = after;
    let rows: readonly Row[];
    do {
      const beyond = last;
      rows = await this.#database.read(() => this.#recordsAfter.all(beyond, RECORDS_AT_ONCE));
      for (const row of rows) {
        const pet = this.#petOf(row);
        const digest = digestOf(row);
        yield { pet, ...(digest !== '' && { idempotencyDigest: digest }) };
        last = pet.id;
      }
    } while (rows.length === RECORDS_AT_ONCE);
  }

  async restore(records: readonly PetRecord[]): Promise<RestoreResult> {
    return this.#database.write(() => {
      const conflicts: number[] = [];
      let restored = 0;
      for (const [i, { pet, idempotencyDigest: digest }] of records.entries()) {
        if (this.#restore.run(pet.id, ...valuesOfMembers(pet), digest ?? null).changes === 1n) restored++;
        else if (!this.#holds(pet, digest)) conflicts.push(i);
      }
      return { restored, unchanged: records.length - restored - conflicts.length, conflicts };
    });
  }

  async #create(newPet: NewPet, digest: string | null, options?: CallOptions): Promise<PetCreation> {
    try {
      return await this.#database.write(() => {
        const { changes, lastInsertRowid } = this.#insert.run(...valuesOfMembers(newPet), digest);
        if (changes === 1n) return { pet: makePet(BigInt(lastInsertRowid), newPet), replayed: false };
        const row = this.#byDigest.get(digest);
        if (row !== undefined) return replayCreation(this.#petOf(row), newPet);
        throw this.#fault('has a row that is no animal under the same idempotency key: its id is less than 1');
      }, options);
    } catch (error) {
      // SQLite has the same result code for used up ids as for a full disk.
      const isFull = error instanceof SqliteFileError && resultCodeOf(error.cause) === FULL;
      if (!isFull || !(await this.#hasLastId())) throw error;
      throw this.#fault('cannot take another animal: the ids are used up');
    }
  }

  /** Whether an animal ever had the greatest id (https://sqlite.org/autoinc.html). */
  async #hasLastId(): Promise<boolean> {
    const statement = this.#database.prepare('SELECT 1 FROM sqlite_sequence WHERE seq = ?');
    return (await this.#database.read(() => statement.get(INT64_MAX))) !== undefined;
  }

  #holds(pet: Pet, digest: string | undefined): boolean {
    const row = this.#byId.get(pet.id);
    return row !== undefined && isSamePet(this.#petOf(row), pet) && (digest === undefined || digest === digestOf(row));
  }

  /** The table's constraints leave no other types. */
  #petOf(row: Row): Pet {
    const [id, ...values] = valuesOf(row);
    const members: Partial<Record<keyof NewPet, unknown>> = {};
    PET_MEMBER_NAMES.forEach((member, i) => (members[member] = values[i] ?? undefined));
    const pet = makePet(id as bigint, members as unknown as NewPet);
    const [fault] = faultsOfNewPet(pet);
    if (fault === undefined) return pet;
    throw this.#fault(`has an animal that breaks a rule: id ${pet.id}, ${fault.member} ${fault.rule}`);
  }

  #fault(reason: string): SqliteFileError {
    return new SqliteFileError(this.#database.file, reason);
  }
}

function digestOf(row: Row): string {
  return valuesOf(row).at(-1) as string;
}

function valuesOfMembers(newPet: NewPet): SqlValue[] {
  return PET_MEMBER_NAMES.map((member) => newPet[member] ?? null);
}
