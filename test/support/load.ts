import { setImmediate } from 'node:timers/promises';
import { endWithTest } from './cleanup.js';

/**
 * A client of a load, such as an async generator: makes one call for each result that it is asked for, and yields how it
 * was answered; anything but `answered` and `unavailable` counts as unexpected. A client that throws has ended.
 */
export type LoadClient = AsyncIterable<unknown>;

/** A summary of a load. */
export interface LoadReport {
  /** Everything else that clients yielded or threw. */
  readonly unexpected: readonly unknown[];
  readonly unavailable: number;
  /** The longest that any call took, in milliseconds. */
  readonly slowestMs: number;
}

/** Clients that call concurrently and without a pause, until the load or the test ends. */
export class Load {
  readonly #unexpected: unknown[] = [];
  readonly #counts = { answered: 0, unavailable: 0 };
  readonly #clients: Promise<unknown>;
  readonly #forget = endWithTest(async () => this.end());
  #slowestMs = 0;
  #isToEnd = false;
  #clientsHaveEnded = false;
  #wake: () => void = () => undefined;
  #change = new Promise<void>((resolve) => (this.#wake = resolve));

  constructor(clients: readonly LoadClient[]) {
    this.#clients = Promise.all(clients.map(async (client) => this.#run(client))).then(() => {
      this.#clientsHaveEnded = true;
      this.#forget();
      this.#wake();
    });
  }

  /** Resolves after so many more calls with this result. Rejects at an unexpected error, or if all clients end before. */
  async next(result: 'answered' | 'unavailable', count: number): Promise<void> {
    const target = this.#counts[result] + count;
    while (this.#counts[result] < target) {
      if (this.#unexpected.length > 0) throw new AggregateError(this.#unexpected, this.#unexpected.join('; '));
      if (this.#clientsHaveEnded) throw new Error(`all clients ended, ${target - this.#counts[result]} too early`);
      await this.#change;
    }
  }

  /** Starts no more calls, and resolves when those under way have ended. */
  async end(): Promise<LoadReport> {
    this.#isToEnd = true;
    return this.ended();
  }

  /** Resolves when all clients have ended, each by itself or because the load was ended. */
  async ended(): Promise<LoadReport> {
    await this.#clients;
    return { unexpected: this.#unexpected, unavailable: this.#counts.unavailable, slowestMs: this.#slowestMs };
  }

  async #run(client: LoadClient): Promise<void> {
    let start = performance.now();
    try {
      for await (const result of client) {
        this.#note(result, performance.now() - start);
        // Otherwise, calls that reject immediately would keep the event loop from ever reaching timers and sockets.
        await setImmediate();
        if (this.#isToEnd) return;
        start = performance.now();
      }
    } catch (error) {
      this.#note(error, performance.now() - start);
    }
  }

  #note(result: unknown, ms: number): void {
    if (result === 'answered' || result === 'unavailable') this.#counts[result]++;
    else this.#unexpected.push(result);
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    this.#wake();
    this.#change = new Promise((resolve) => (this.#wake = resolve));
  }
}
