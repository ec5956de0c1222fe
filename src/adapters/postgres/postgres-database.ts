import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../../application/abortable.js';
import type { CallOptions } from '../../domain/call-options.js';
import { boundedCall, type BoundedCall } from '../kit/bounded-call.js';
import { codeOf, isLostConnection, isPoolFull, isSilence, isUnavailable } from './errors.js';
import type { Host } from './hosts.js';
import { Session } from './session.js';
import type { Row, RunStatement, Statement, Value } from './statement.js';
import { timeoutsOf } from './timeouts.js';

/** An attempt to get a connection, which has ended: a new one was opened, or none could be, or all were in use for too long. */
export interface ConnectionAttempt {
  /** The host and port. */
  readonly host: string;
  /** Why there is no connection. Left out if there is one. */
  readonly error?: unknown;
}

export interface DatabaseSettings {
  readonly deadlineMs: number;
  readonly maxConnections: number;
  readonly onConnection: (attempt: ConnectionAttempt) => void;
}

export type Waiting = Pick<BoundedCall, 'isOver' | 'obstacle'>;

const READ_ONLY: Statement = { name: 'session.read_only', text: 'SHOW transaction_read_only' };

/** How long to wait after all hosts were tried, or a repeated statement was lost again, in milliseconds. */
const PAUSE_MS = 100;

/**
 * A database on the primary among several servers. New connections go to the host that was found last, and to the next one if that
 * cannot be reached, is a standby, or is silent.
 */
export class PostgresDatabase {
  readonly maxConnections: number;
  readonly #hosts: readonly Host[];
  readonly #deadlineMs: number;
  readonly #onConnection: DatabaseSettings['onConnection'];
  /** The index of the host to which new connections go. */
  #present = 0;
  /** Why each host was not used when it was tried last, by their names. */
  readonly #failures = new Map<string, string>();
  #pool: pg.Pool;
  /** By the clock of `performance`. */
  #answeredAt = 0;
  #closing: Promise<void> | undefined;

  /** Use `openPostgresDatabase`. */
  constructor(hosts: readonly Host[], { deadlineMs, maxConnections, onConnection }: DatabaseSettings) {
    this.maxConnections = maxConnections;
    this.#hosts = hosts;
    this.#deadlineMs = deadlineMs;
    this.#onConnection = onConnection;
    this.#pool = this.#newPool();
  }

  /**
   * Runs a call. Rejects with `store_unavailable` if the database gives no answer before the deadline, and with the signal's reason as
   * soon as that is aborted. The database goes on, and its answer is dropped.
   */
  async run<T>({ signal }: CallOptions = {}, use: (call: BoundedCall) => Promise<T>): Promise<T> {
    return boundedCall({ deadlineMs: this.#deadlineMs, isUnavailable, signal }, async (call) =>
      abortable(signal, async () => use(call)),
    );
  }

  /** Runs a statement that may run twice. If its connection is lost while the caller waits, it runs again on another. */
  async read(call: Waiting, statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return repeatIfLost(call, async () => this.write(call, statement, values));
  }

  /**
   * Runs a statement once, in a transaction of its own. If this rejects because the connection was lost, the statement may or may not
   * have been carried out.
   */
  async write(call: Waiting, statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    return this.withSession(call, async (run) => run({ ...statement, values }));
  }

  /**
   * Uses a connection to the primary alone. Rejects with `store_unavailable` if PostgreSQL has committed what a standby may not have,
   * because somebody has ended its wait.
   */
  async withSession<T>(call: Waiting, use: (run: RunStatement) => Promise<T>): Promise<T> {
    const { pool, session } = await this.#connect(call);
    if (call.isOver) {
      session.release();
      throw new Error('nobody waits for this statement any more');
    }
    const start = performance.now();
    let isBroken = false;
    try {
      const result = await use(async (statement) => session.run(statement));
      session.refuseUncertainty();
      this.#answeredAt = performance.now();
      return result;
    } catch (error) {
      isBroken = isUnavailable(error);
      if (!isSilence(error)) this.#answeredAt = performance.now();
      // If the server has answered another statement meanwhile, it is not silent: this one waits, for a standby for example.
      else if (this.#answeredAt < start) this.#replace(pool, session.server);
      throw error;
    } finally {
      session.release(isBroken);
    }
  }

  /** Rejects if the primary takes no writes, because an operator has made it read-only. */
  async check(): Promise<void> {
    const [row] = await this.run({}, async (call) => this.read(call, READ_ONLY, []));
    if (row?.[0] !== 'off') throw new Error('the PostgreSQL primary is read-only');
  }

  /** Closes the connections, each once its statement has ended. Further calls do nothing. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#pool.end());
  }

  async #connect(call: Waiting) {
    for (let attempt = 1; ; attempt++) {
      if (this.#closing !== undefined) throw new Error('the PostgreSQL database is closed');
      const pool = this.#pool;
      let host = this.#host;
      try {
        const session = (await pool.connect()) as pg.PoolClient & Session;
        // The connection may have been made later, to another host.
        host = session.server;
        if (session.isBegun) return { pool, session };
        try {
          await session.begin();
          this.#onConnection({ host: host.name });
        } catch (error) {
          session.release(true);
          throw error;
        }
        this.#failures.delete(host.name);
        return { pool, session };
      } catch (error) {
        this.#onConnection({ host: host.name, error });
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

  #skip(host: Host, error: unknown): Error {
    // Node's error for several addresses has only a code.
    this.#failures.set(host.name, (error as Error).message || String(codeOf(error)));
    if (host === this.#host) this.#present = (this.#present + 1) % this.#hosts.length;
    const reasons = Array.from(this.#failures, ([name, reason]) => `${name} (${reason})`);
    return new Error(`no PostgreSQL primary can be reached: ${reasons.join(', ')}`);
  }

  #replace(pool: pg.Pool, host: Host): void {
    if (pool !== this.#pool || this.#closing !== undefined) return;
    this.#skip(host, new Error('it does not answer'));
    this.#pool = this.#newPool();
    void pool.end();
  }

  #newPool(): pg.Pool {
    const hostOfNext = (): Host => this.#host;
    const timeouts = timeoutsOf(this.#deadlineMs);
    const pool = new pg.Pool({
      Client: class extends Session {
        constructor() {
          super(hostOfNext(), timeouts);
        }
      },
      max: this.maxConnections,
      connectionTimeoutMillis: timeouts.connection,
    });
    // The pool has removed a connection that was lost while it was idle. Without a listener, the error would end the process.
    return pool.on('error', () => undefined);
  }
}

/** For what may run twice. */
export async function repeatIfLost<T>(call: Waiting, run: () => Promise<T>): Promise<T> {
  for (let isRepeat = false; ; isRepeat = true) {
    try {
      return await run();
    } catch (error) {
      if (call.isOver || !isLostConnection(error)) throw error;
      call.obstacle = error;
    }
    if (isRepeat) await pause(PAUSE_MS);
  }
}
