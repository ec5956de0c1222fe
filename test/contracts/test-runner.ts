/** What a contract suite needs of a test runner. mocha, jest, vitest and `node:test` all have it. */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, test: () => Promise<void>) => unknown;
}

/** A suite's checks: each one's sentence, and what it does with a fresh subject. */
export type Checks<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** Declares one `describe` with one `it` a check; each `it` makes a subject of its own. */
export function declareSuite<Subject>(
  title: string,
  checks: Checks<Subject>,
  createSubject: () => Subject | Promise<Subject>,
  runner: TestRunner | undefined,
): void {
  const globals: object = globalThis;
  const { describe, it }: Partial<TestRunner> = runner ?? globals;
  if (typeof describe !== 'function' || typeof it !== 'function') {
    throw new TypeError('the test runner has no global describe and it: pass them as `runner: { describe, it }`');
  }
  describe(title, () => {
    for (const [sentence, check] of Object.entries(checks)) {
      it(sentence, async () => check(await createSubject()));
    }
  });
}
