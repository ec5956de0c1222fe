import type { Checks } from '../contracts/test-runner.js';

/** The sentences of the checks that a subject fails. Runs all checks concurrently, each on a new subject. */
export async function failingChecks<Subject>(checks: Checks<Subject>, create: () => Subject): Promise<string[]> {
  const failing = Object.entries(checks).map(async ([sentence, check]) => {
    try {
      await check(create());
      return [];
    } catch {
      return [sentence];
    }
  });
  return (await Promise.all(failing)).flat();
}
