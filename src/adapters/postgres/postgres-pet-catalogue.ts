import { hash } from 'node:crypto';
import type { CallOptions } from '../../domain/call-options.js';
import { replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import {
  BATCH_MAX,
  type PetCatalogue,
  type PetPage,
  type PetQuery,
  type PetRecord,
  type RestoreResult,
} from '../../domain/pet-catalogue.js';
import { isSamePet, makePet, type NewPet, type Pet } from '../../domain/pet.js';
import { GroupCommit, type GroupCommitEntry } from '../kit/group-commit.js';
import { codeOf, isLostConnection } from './errors.js';
import {
  COLUMNS,
  digestOf,
  idOf,
  parametersFrom,
  petOf,
  READ_COLUMNS,
  recordOf,
  valuesOf,
  type Keyed,
} from './pet-row.js';
import type { PostgresDatabase, Waiting } from './postgres-database.js';
import type { Row, Statement } from './statement.js';

/**
 * The counter's row is locked until the commit: so ids ascend in the order in which animals become visible, over all processes. The
 * counter may be behind an animal that another program has stored. Selects the last id, in each row, and the ids that were inserted.
 */
const INSERT: Statement = {
  name: 'pets.insert',
  text: `WITH counter AS (
      UPDATE pet_counter SET last = greatest(last, (SELECT max(id) FROM pets)) + $1 RETURNING last
    ), inserted AS (
      INSERT INTO pets (id, ${COLUMNS})
      SELECT last - $1 + n, ${COLUMNS} FROM counter, unnest(${parametersFrom(2)}) WITH ORDINALITY AS new (${COLUMNS}, n)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT last, id FROM counter LEFT JOIN inserted ON true`,
};

const RESTORE: Statement = {
  name: 'pets.restore',
  text: `WITH counter AS (
      UPDATE pet_counter SET last = greatest(last, (SELECT max(id) FROM unnest($1::bigint[]) AS id)) RETURNING last
    )
    INSERT INTO pets (id, ${COLUMNS})
    SELECT id, ${COLUMNS} FROM counter, unnest($1::bigint[], ${parametersFrom(2)}) AS new (id, ${COLUMNS})
    ON CONFLICT DO NOTHING RETURNING id`,
};

function select(name: string, condition: string): Statement {
  return { name: `pets.${name}`, text: `SELECT ${READ_COLUMNS} FROM pets WHERE ${condition}` };
}

const AFTER = select('after', 'id > $1 ORDER BY id LIMIT $2');
const AFTER_BY_STATUS = select('after_by_status', 'id > $1 AND status = $3 ORDER BY id LIMIT $2');
const BY_IDS = select('by_ids', 'id = ANY ($1::bigint[])');
const BY_DIGESTS = select('by_digests', 'digest = ANY ($1::bytea[])');

/** The server's code for an id beyond an int64. */
const OUT_OF_RANGE = '22003';

type Entry = GroupCommitEntry<Keyed, PetCreation>;

/**
 * A {@link PetCatalogue} in the table `pets` of a PostgreSQL database, numbered by its table `pet_counter`. Make one instance for each
 * process: creations that arrive while others are being stored share the next transaction.
 *
 * A row whose id is less than 1 is no animal: no call sees it. A call that meets an animal that breaks a rule, because another
 * program has written it, rejects with a {@link MalformedRowError}, which names its id; so does a creation whose idempotency key has
 * its digest in a row that is no animal.
 */
export class PostgresPetCatalogue implements PetCatalogue {
  readonly #database: PostgresDatabase;
  readonly #creations = new GroupCommit<Keyed, PetCreation>(BATCH_MAX, async (batch) => this.#store(batch));

  /** @param database Opened by `openPostgresDatabase`; the caller closes it. */
  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async add(newPet: NewPet, options?: CallOptions): Promise<Pet> {
    return (await this.#create(newPet, undefined, options)).pet;
  }

  async addOnce(newPet: NewPet, idempotencyKey: string, options?: CallOptions): Promise<PetCreation> {
    return this.#create(newPet, hash('sha256', idempotencyKey), options);
  }

  async #create(newPet: NewPet, digest: string | undefined, options: CallOptions | undefined): Promise<PetCreation> {
    return this.#database.run(options, async (call) => this.#creations.add({ newPet, digest }, call));
  }

  async list({ limit, status, after = 0n }: PetQuery, options?: CallOptions): Promise<PetPage> {
    const range = [String(after), String(limit + 1)];
    const rows = await this.#database.run(options, async (call) =>
      status === undefined
        ? this.#database.read(call, AFTER, range)
        : this.#database.read(call, AFTER_BY_STATUS, [...range, status]),
    );
    const pets = rows.slice(0, limit).map(petOf);
    const last = pets.at(-1);
    return last !== undefined && rows.length > limit ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint, options?: CallOptions): Promise<Pet | undefined> {
    if (id < 1n) return undefined;
    const [row] = await this.#database.run(options, async (call) => this.#database.read(call, BY_IDS, [[String(id)]]));
    return row && petOf(row);
  }

  async *records(after = 0n): AsyncGenerator<PetRecord> {
    let last = String(after);
    let rows: readonly Row[];
    do {
      const range = [last, String(BATCH_MAX)];
      rows = await this.#database.run({}, async (call) => this.#database.read(call, AFTER, range));
      for (const row of rows) yield recordOf(row);
      last = rows.at(-1)?.[0] ?? last;
    } while (rows.length === BATCH_MAX);
  }

  /** One round trip, and a second one if some of the records were not inserted. */
  async restore(records: readonly PetRecord[]): Promise<RestoreResult> {
    const values = valuesOf(records.map(({ pet, idempotencyDigest }) => ({ newPet: pet, digest: idempotencyDigest })));
    return this.#database.run({}, async (call) => {
      const inserted = await this.#database.write(call, RESTORE, [idsOf(records), ...values]);
      const restored = new Set(inserted.map(idOf));
      const refused = records.filter(({ pet }) => !restored.has(pet.id));
      const rows = refused.length === 0 ? [] : await this.#database.read(call, BY_IDS, [idsOf(refused)]);
      const stored = new Map(rows.map((row) => [idOf(row), recordOf(row)]));
      const conflicts = [...records.entries()]
        .filter(([, record]) => !restored.has(record.pet.id) && !agrees(record, stored.get(record.pet.id)))
        .map(([i]) => i);
      return { restored: restored.size, unchanged: refused.length - conflicts.length, conflicts };
    });
  }

  async #store(batch: readonly Entry[]): Promise<void> {
    const call = waitingOf(batch);
    const values = [String(batch.length), ...valuesOf(batch.map(({ value }) => value))];
    try {
      const rows = await this.#database.write(call, INSERT, values);
      await this.#settle(call, batch, rows);
    } catch (error) {
      if (codeOf(error) === OUT_OF_RANGE) throw new RangeError('the ids are used up', { cause: error });
      if (!isLostConnection(error)) throw error;
      call.obstacle = error;
      // What was sent may be stored. Those with an idempotency key are sent again.
      for (const entry of batch) if (entry.value.digest === undefined) entry.reject(error);
    }
  }

  /** Those whose id another program has just taken join the next batch. */
  async #settle(call: Waiting, batch: readonly Entry[], rows: readonly Row[]): Promise<void> {
    const [last] = rows[0] ?? [];
    if (typeof last !== 'string') throw new Error('the table pet_counter of the PostgreSQL database has no row');
    const first = BigInt(last) - BigInt(batch.length) + 1n;
    const inserted = new Set(rows.map(([, id]) => id));
    const refused: Entry[] = [];
    for (const [i, entry] of batch.entries()) {
      const id = first + BigInt(i);
      if (inserted.has(String(id))) entry.resolve({ pet: makePet(id, entry.value.newPet), replayed: false });
      else if (entry.value.digest !== undefined) refused.push(entry);
    }
    if (refused.length === 0) return;
    const digests = refused.map(({ value }) => `\\x${value.digest}`);
    const found = new Map((await this.#database.read(call, BY_DIGESTS, [digests])).map((row) => [digestOf(row), row]));
    for (const entry of refused) {
      const row = found.get(entry.value.digest);
      if (row === undefined) continue;
      try {
        entry.resolve(replayCreation(petOf(row), entry.value.newPet));
      } catch (error) {
        entry.reject(error);
      }
    }
  }
}

function idsOf(records: readonly PetRecord[]): string[] {
  return records.map(({ pet }) => String(pet.id));
}

function agrees({ pet, idempotencyDigest }: PetRecord, stored: PetRecord | undefined): boolean {
  if (stored === undefined || !isSamePet(stored.pet, pet)) return false;
  return idempotencyDigest === undefined || idempotencyDigest === stored.idempotencyDigest;
}

/** Waits for as long as one of its callers does. */
function waitingOf(batch: readonly Entry[]): Waiting {
  return {
    get isOver() {
      return batch.every(({ call }) => call.isOver === true);
    },
    set obstacle(obstacle: unknown) {
      for (const { call } of batch) call.obstacle = obstacle;
    },
  };
}
