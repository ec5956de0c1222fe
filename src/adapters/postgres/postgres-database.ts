import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../../application/abortable.js';
import type { CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { boundedCall, type BoundedCall } from '../kit/bounded-call.js';
import { codeOf, isLostConnection, isPoolFull, isSilence, isUnavailable } from './errors.js';
import type { Host } from './hosts.js';
import { AS_TEXT, Session } from './session.js';

/** The name of an operation on the database. */
export type PostgresOperationName =
  | 'pets.add'
  | 'pets.add_once'
  | 'pets.list'
  | 'pets.find'
  | 'pets.records'
  | 'pets.restore'
  | 'keys.look_up'
  | 'keys.add'
  | 'keys.list'
  | 'keys.find'
  | 'keys.replace'
  | 'tables.prepare'
  | 'connection.open';

/** An operation on the database that has ended. */
export interface PostgresOperation {
  readonly name: PostgresOperationName;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  /** What the operation rejected with, if its outcome is not `ok`. */
  readonly error?: unknown;
  /** The host of `connection.open`. */
  readonly host?: string;
}

/**
 * Called when an operation on the database has ended, for metrics and logs. Errors that it throws are ignored: they change no call,
 * and do not end the process.
 */
export type PostgresObserver = (operation: PostgresOperation) => void;

/** How a {@link PostgresDatabase} works. */
export interface DatabaseSettings {
  readonly deadlineMs: number;
  readonly maxConnections: number;
  readonly observe: PostgresObserver | undefined;
}

/** A statement, which each connection prepares once. */
export interface Statement {
  /** Identifies the text. */
  readonly name: string;
  readonly text: string;
}

/** A value of a statement, or of a row, in PostgreSQL's text format. */
type Text = string | null;

/** A value of a statement. A list becomes an array of PostgreSQL. */
export type Value = Text | readonly Text[];

/** The values of a row, in the order of its columns. */
export type Row = readonly Text[];

/** The part of a call that uses the database: whether somebody still waits for it, and why it has no result yet. */
export type Waiting = Pick<BoundedCall, 'isOver' | 'obstacle'>;

/** How long to wait after all hosts were tried, in milliseconds. */
const PAUSE_MS = 100;

/**
 * A database on the primary among several servers. New connections go to the host that was found last, and to the next one if that
 * cannot be reached, is a standby, or is silent.
 */
export class PostgresDatabase {
  readonly maxConnections: number;
  readonly #hosts: readonly Host[];
  readonly #deadlineMs: number;
  readonly #observe: PostgresObserver | undefined;
  /** The index of the host to which new connections go. */
  #present = 0;
  /** Why each host was not used when it was tried last, by their names. */
  readonly #failures = new Map<string, string>();
  #pool: pg.Pool;
  /** When the server answered last, by the clock of `performance`. */
  #answeredAt = 0;
  #closing: Promise<void> | undefined;

  /** Use `openPostgresDatabase`. */
  constructor(hosts: readonly Host[], { deadlineMs, maxConnections, observe }: DatabaseSettings) {
    this.maxConnections = maxConnections;
    this.#hosts = hosts;
    this.#deadlineMs = deadlineMs;
    this.#observe = observe;
    this.#pool = this.#newPool();
  }

  /**
   * Runs an operation, and tells the observer how it ended. Rejects with `store_unavailable` if the database gives no answer before
   * the deadline, and with the signal's reason as soon as that is aborted. The database goes on, and its answer is dropped.
   */
  async run<T>(
    name: PostgresOperationName,
    options: CallOptions | undefined,
    operate: (call: BoundedCall) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    const bounds = { deadlineMs: this.#deadlineMs, isUnavailable, signal };
    const start = performance.now();
    try {
      const result = await boundedCall(bounds, async (call) =>
        abortable(
          signal,
          async () => operate(call),
          (reason) => reason as Error,
        ),
      );
      this.#tell(start, { name, outcome: 'ok' });
      return result;
    } catch (error) {
      this.#tell(start, { name, outcome: outcomeOfRejection(error, options), error });
      throw error;
    }
  }

  /** Runs a statement that may run twice. If its connection is lost while the caller waits, it runs again on another. */
  async read(call: Waiting, statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return repeatIfLost(call, async () => this.write(call, statement, values));
  }

  /**
   * Runs a statement once, in a transaction of its own. If this rejects because the connection was lost, the statement may or may not
   * have been carried out.
   */
  async write(call: Waiting, { name, text }: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    const query = { name, text, values: [...values], rowMode: 'array', types: AS_TEXT } as const;
    return this.withSession(call, async (session) => (await session.query<Text[]>(query)).rows);
  }

  /**
   * Uses a connection to the primary alone. Rejects with `store_unavailable` if PostgreSQL has committed what a standby may not have,
   * because somebody has ended its wait.
   */
  async withSession<T>(call: Waiting, use: (session: pg.ClientBase) => Promise<T>): Promise<T> {
    const { pool, session } = await this.#connect(call);
    const start = performance.now();
    let isBroken = false;
    try {
      const result = await use(session);
      session.refuseUncertainty();
      this.#answeredAt = performance.now();
      return result;
    } catch (error) {
      isBroken = isUnavailable(error);
      if (!isSilence(error)) this.#answeredAt = performance.now();
      // If the server has answered another statement meanwhile, it is not silent: this one waits, for a standby for example.
      else if (this.#answeredAt < start) this.#replace(pool);
      throw error;
    } finally {
      session.release(isBroken);
    }
  }

  /** Closes the connections, each once its statement has ended. Further calls do nothing. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#pool.end());
  }

  /** Takes a connection to the primary. Looks for it among the hosts for as long as the caller waits. */
  async #connect(call: Waiting) {
    for (let attempt = 1; ; attempt++) {
      if (this.#closing !== undefined) throw new Error('the PostgreSQL database is closed');
      const [pool, host] = [this.#pool, this.#host];
      const start = performance.now();
      try {
        const session = (await pool.connect()) as pg.PoolClient & Session;
        if (session.isBegun) return { pool, session };
        await session.begin().catch((error: unknown) => {
          session.release(true);
          throw error;
        });
        this.#tell(start, { name: 'connection.open', outcome: 'ok', host: host.name });
        return { pool, session };
      } catch (error) {
        this.#tell(start, {
          name: 'connection.open',
          outcome: isUnavailable(error) ? 'unavailable' : 'failed',
          error,
          host: host.name,
        });
        if (!isUnavailable(error)) throw error;
        call.obstacle = isPoolFull(error) ? error : this.#skip(host, error);
        if (call.isOver) throw error;
      }
      if (attempt % this.#hosts.length === 0) await pause(PAUSE_MS);
    }
  }

  get #host(): Host {
    return this.#hosts[this.#present] as Host;
  }

  /** Lets new connections go to the host after this one, unless they do so already. Returns why there is none so far. */
  #skip(host: Host, error: unknown): Error {
    // Node's error for several addresses has only a code.
    this.#failures.set(host.name, (error as Error).message || String(codeOf(error)));
    if (host === this.#host) this.#present = (this.#present + 1) % this.#hosts.length;
    const reasons = Array.from(this.#failures, ([name, reason]) => `${name} (${reason})`);
    return new Error(`no PostgreSQL primary can be reached: ${reasons.join(', ')}`);
  }

  /** Leaves a silent host and all connections to it, unless that has happened already. */
  #replace(pool: pg.Pool): void {
    if (pool !== this.#pool || this.#closing !== undefined) return;
    this.#skip(this.#host, new Error('it does not answer'));
    this.#pool = this.#newPool();
    void pool.end();
  }

  #newPool(): pg.Pool {
    const hostOfNext = (): Host => this.#host;
    const part = (share: number): number => Math.ceil(this.#deadlineMs * share);
    const timeouts = { server: part(0.9), driver: part(0.95) };
    const pool = new pg.Pool({
      Client: class extends Session {
        constructor() {
          super(hostOfNext(), timeouts);
        }
      },
      max: this.maxConnections,
      connectionTimeoutMillis: part(0.4),
    });
    // The pool has removed a connection that was lost while it was idle. Without a listener, the error would end the process.
    return pool.on('error', () => undefined);
  }

  #tell(start: number, operation: Omit<PostgresOperation, 'durationMs'>): void {
    const observe = this.#observe;
    if (observe === undefined) return;
    const call = async (): Promise<void> => observe({ ...operation, durationMs: performance.now() - start });
    call().catch(() => undefined);
  }
}

/** Runs something that may run twice. If its connection is lost while the caller waits, runs it again. */
export async function repeatIfLost<T>(call: Waiting, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (call.isOver || !isLostConnection(error)) throw error;
      call.obstacle = error;
    }
  }
}
