import type { Checks } from '../contracts/test-runner.js';

/** The sentences of the checks that a subject fails, a fresh subject for each. */
export async function failingChecks<Subject>(checks: Checks<Subject>, create: () => Subject): Promise<string[]> {
  const failing: string[] = [];
  for (const [sentence, check] of Object.entries(checks)) {
    try {
      await check(create());
    } catch {
      failing.push(sentence);
    }
  }
  return failing;
}
