/** The functions of a test runner that a contract suite needs. mocha, jest, vitest and `node:test` all have them. */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, test: () => Promise<void>) => unknown;
}

/** A suite's checks by their sentences. Each check gets a fresh subject. */
export type Checks<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** The same checks, which pass on a subject that lacks the capability. */
export function whereItHas<Subject, Capable extends Subject>(
  checks: Checks<Capable>,
  isCapable: (subject: Subject) => boolean,
): Checks<Subject> {
  const entries = Object.entries(checks).map(([sentence, check]) => [
    sentence,
    async (subject: Subject): Promise<void> => {
      if (isCapable(subject)) await check(subject as Capable);
    },
  ]);
  return Object.fromEntries(entries) as Checks<Subject>;
}

/** Declares one `describe` with one `it` for each check. Each `it` makes its own subject. */
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
