import { setTimeout } from 'node:timers/promises';

/** Resolves to what `look` gives as soon as it gives something; rejects after `deadline` milliseconds of nothing. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>, deadline = 50_000): Promise<T> {
  const end = performance.now() + deadline;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`still nothing after ${deadline} ms`);
    await setTimeout(5);
  }
}
