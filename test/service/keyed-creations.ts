import { setTimeout as pause } from 'node:timers/promises';
import { endWithTest } from '../support/cleanup.js';
import { until } from '../support/until.js';

/** How long a client waits before it sends a creation again, in milliseconds. */
const PAUSE_MS = 20;

/** What a database has, compared with what was acknowledged. */
export interface Comparison {
  /** How many creations were acknowledged. */
  readonly acknowledged: number;
  /** How many of them the database lacks. */
  readonly lost: number;
  /** How many animals of the same creation it has beside the one that was acknowledged. */
  readonly doubled: number;
}

/**
 * Clients that create animals of different names, each with an idempotency key of its own, and send each creation again until it is
 * acknowledged, whatever happens to the service.
 */
export class KeyedCreations {
  /** How long the creation that took longest took, in milliseconds. */
  longestMs = 0;
  readonly #url: () => string;
  readonly #key: string;
  /** The ids, by the names. */
  readonly #acknowledged = new Map<string, string>();
  readonly #running: Promise<unknown>;
  readonly #ending = new AbortController();
  #fault: Error | undefined;

  /**
   * @param url The URL of the service, at the moment.
   * @param key A key that it accepts.
   */
  constructor(url: () => string, key: string, clients = 16) {
    this.#url = url;
    this.#key = key;
    this.#running = Promise.all(Array.from({ length: clients }, async (_, client) => this.#run(client)));
    endWithTest(async () => this.end());
  }

  /** Resolves when so many more have been acknowledged. Rejects if a creation was answered by an error that nobody expects. */
  async next(count: number): Promise<void> {
    const enough = this.#acknowledged.size + count;
    await until(() => this.#fault !== undefined || this.#acknowledged.size >= enough);
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Ends the clients, each once its creation is acknowledged, or has no response. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Compares what was acknowledged with the rows of the table `pets`. */
  compareWith(rows: readonly Record<string, unknown>[]): Comparison {
    const ids = new Map<unknown, unknown[]>();
    for (const { id, name } of rows) ids.set(name, [...(ids.get(name) ?? []), id]);
    let lost = 0;
    for (const [name, id] of this.#acknowledged) if (ids.get(name)?.includes(id) !== true) lost++;
    return { acknowledged: this.#acknowledged.size, lost, doubled: rows.length - ids.size };
  }

  async #run(client: number): Promise<void> {
    for (let i = 0; ; i++) {
      const name = `animal ${client}-${i}`;
      const start = performance.now();
      const id = await this.#sendUntilAcknowledged(name);
      if (id === undefined) return;
      this.#acknowledged.set(name, id);
      this.longestMs = Math.max(this.longestMs, performance.now() - start);
    }
  }

  /** @returns `undefined` if the clients are to end before. */
  async #sendUntilAcknowledged(name: string): Promise<string | undefined> {
    while (!this.#ending.signal.aborted) {
      const id = await this.#send(name);
      if (id !== undefined) return id;
      await pause(PAUSE_MS);
    }
    return undefined;
  }

  /** Sends a creation, and resolves to its id. @returns `undefined` if the service or the store gives no response. */
  async #send(name: string): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.#url()}/pets`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': name.replace(' ', '-'),
        },
        body: JSON.stringify({ name, categoryId: 7 }),
      });
      const text = await response.text();
      if (response.status === 201) return /"id":(\d+)/.exec(text)?.[1];
      if (response.status === 503) return undefined;
      this.#fault ??= new Error(`a creation was answered ${response.status}: ${text}`);
    } catch {
      // The service was killed: the connection is lost, or there is none.
      return undefined;
    }
    return undefined;
  }
}
