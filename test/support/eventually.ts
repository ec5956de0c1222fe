import { setTimeout } from 'node:timers/promises';
import { endWithTest } from './cleanup.js';
import { WAIT_MS } from './patience.js';

/** The pause between two checks, in milliseconds: short at first, then longer, so that other work can continue. */
const [SHORT, LONG] = [5, 25];
/** For how long the pauses are short, in milliseconds. */
const FIRST_MS = 200;

/**
 * Resolves to what `look` gives as soon as it gives something; rejects after `deadline` milliseconds of nothing. Never settles
 * if the test ends before, by its time-out for example: nobody waits any longer, and the process may end.
 */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  deadline = WAIT_MS,
): Promise<T> {
  const start = performance.now();
  const test = new AbortController();
  const forget = endWithTest(() => test.abort());
  try {
    while (!test.signal.aborted) {
      const found = await look();
      if (found !== undefined) return found;
      const waited = performance.now() - start;
      if (waited > deadline) throw new Error(`still nothing after ${deadline} ms`);
      await setTimeout(waited < FIRST_MS ? SHORT : LONG);
    }
    return await new Promise<never>(() => undefined);
  } finally {
    forget();
  }
}
