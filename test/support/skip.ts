import type { Context } from 'mocha';

/**
 * Skips the test, or all tests of the suite if called in its `before`. Writes the reason into the title, from which `reporter.cjs`
 * reads it: the processes that run files in parallel send nothing else of a skipped test.
 */
export function skip(context: Context, reason: string): never {
  const { test, currentTest } = context;
  const isOfSuite = test?.title.startsWith('"before all" hook') === true;
  const titled = isOfSuite ? test.parent : (currentTest ?? test);
  if (titled !== undefined) titled.title += ` [skipped: ${reason}]`;
  return context.skip();
}
