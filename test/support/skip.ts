import type { Context } from 'mocha';

/** Skips the test, or all tests of the suite if called in its `before`, and prints why. */
export function skip(context: Context, reason: string): never {
  const title = (context.currentTest ?? context.test)?.fullTitle() ?? 'a test';
  console.log(`Skipped: ${title.replace(/ "before all" hook.*/, '')}: ${reason}`);
  return context.skip();
}
