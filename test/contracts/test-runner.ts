/** The functions of a test runner that a contract suite needs. mocha, jest, vitest and `node:test` all have them. */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, test: () => Promise<void>) => unknown;
}

/** A suite's checks by their sentences. Each check gets a fresh subject. */
export type Checks<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/**
 * Declares one `describe` with one `it` for each check. Each `it` makes its own subject.
 *
 * @throws TypeError if there are no functions to declare them with.
 */
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
