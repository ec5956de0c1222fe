import { setTimeout } from 'node:timers/promises';

/** How often it looks, in milliseconds: often at first, and then seldom enough to leave the processor to what it waits for. */
const [OFTEN, SELDOM] = [5, 25];
/** For how long it looks often, in milliseconds. */
const IMPATIENCE = 200;

/** Resolves to what `look` gives as soon as it gives something; rejects after `deadline` milliseconds of nothing. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>, deadline = 50_000): Promise<T> {
  const start = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const waited = performance.now() - start;
    if (waited > deadline) throw new Error(`still nothing after ${deadline} ms`);
    await setTimeout(waited < IMPATIENCE ? OFTEN : SELDOM);
  }
}
