import type { Context, Suite } from 'mocha';

/**
 * Skips the test, or all tests of the suite if called in its `before`. Writes the reason into the titles, which are all that mocha
 * prints of a skipped test.
 */
export function skip(context: Context, reason: string): never {
  const { test, currentTest } = context;
  const isOfSuite = test?.title.startsWith('"before all" hook') === true;
  const skipped = isOfSuite ? testsOf(test.parent) : [currentTest ?? test];
  for (const each of skipped) if (each !== undefined) each.title += ` [skipped: ${reason}]`;
  return context.skip();
}

function testsOf(suite: Suite | undefined): Suite['tests'] {
  return suite === undefined ? [] : [...suite.tests, ...suite.suites.flatMap(testsOf)];
}
