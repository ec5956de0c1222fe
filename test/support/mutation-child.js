/**
 * Loaded before everything else in each process that a test starts while Stryker finds out which tests reach a mutant: notes
 * each mutant that the process reaches, at once, because it may be killed.
 */
import { appendFileSync } from 'node:fs';

const { MUTATION_COVERAGE = '', MUTATION_TEST } = process.env;

const reached = new Proxy(
  {},
  {
    set(counts, mutant, count) {
      if (!(mutant in counts)) appendFileSync(MUTATION_COVERAGE, `${JSON.stringify([MUTATION_TEST, mutant])}\n`);
      counts[mutant] = count;
      return true;
    },
  },
);

globalThis.__stryker__ = { mutantCoverage: { static: reached, perTest: {} } };
