import type { Context } from 'mocha';
import { appendFileSync } from 'node:fs';

/**
 * Skips the test, or all tests of the suite if called in its `before`, and prints why: at once, and again at the end of a run by
 * one of the scripts, which name a file for the reasons by TEST_SKIPS.
 */
export function skip(context: Context, reason: string): never {
  const { test, currentTest } = context;
  const isOfSuite = test?.title.startsWith('"before all" hook') === true;
  const title = (isOfSuite ? test.parent : (currentTest ?? test))?.fullTitle() ?? 'a test';
  const noted = process.env['TEST_SKIPS'];
  if (noted === undefined) console.log(`Skipped: ${title}: ${reason}`);
  else appendFileSync(noted, `${JSON.stringify({ title, reason })}\n`);
  return context.skip();
}
