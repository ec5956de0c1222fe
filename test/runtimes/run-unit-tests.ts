/**
 * Runs the tests that are declared after this module has been loaded, on any runtime. Mocha's build for browsers makes itself global, and
 * reports nothing here.
 */
import 'mocha/mocha.js';

const { Mocha: BrowserMocha } = globalThis as unknown as { readonly Mocha: typeof Mocha };
const mocha = new BrowserMocha({ reporter: BrowserMocha.reporters.Base, timeout: 60_000 });

// Makes the functions of its interface global.
mocha.suite.emit('pre-require', globalThis, '', mocha);

/** How the tests ended. */
export interface Results {
  /** The full titles of the tests that passed, in their order. */
  readonly passed: string[];
  /** The full titles of the others, each with its error. */
  readonly failed: string[];
}

/** Runs the tests; resolves when all have ended. */
export async function runUnitTests(): Promise<Results> {
  const results: Results = { passed: [], failed: [] };
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(results));
    runner.on('pass', (test) => results.passed.push(test.fullTitle()));
    runner.on('fail', (test, error: Error) =>
      results.failed.push(`${test.fullTitle()}: ${error.stack ?? error.message}`),
    );
  });
}
