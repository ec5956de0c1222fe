import { eventually } from './eventually.js';

/** Resolves once a condition holds, to the time that this took, in milliseconds. The test's time-out ends it. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<number> {
  const start = performance.now();
  await eventually(async () => ((await condition()) ? true : undefined), Number.POSITIVE_INFINITY);
  return performance.now() - start;
}
