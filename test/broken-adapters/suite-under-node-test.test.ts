import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { brokenCatalogues } from './broken-catalogues.js';
import { petCatalogueChecks } from '../contracts/pet-catalogue-contract.js';

/** A few of the broken catalogues: `broken-catalogues.test.ts` has the same checks catch each of them, whatever the runner is. */
const BROKEN = Object.entries(brokenCatalogues).filter((_, i) => i % 20 === 0);

interface Result {
  readonly name: string;
  /** How many `describe`s surround it. */
  readonly nesting: number;
  readonly passed: boolean;
}

/** Runs the suites in a separate process under node:test, and returns the results within each outer `describe`. */
function run(): ReadonlyMap<string, readonly Result[]> {
  const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env;
  const reporter = new URL('results-reporter.js', import.meta.url).href;
  const file = new URL('suite-under-node-test.ts', import.meta.url).pathname;
  const args = ['--import', 'tsx', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', file];
  args.push(...BROKEN.map(([fault]) => fault));
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const results = new Map<string, readonly Result[]>();
  let inner: Result[] = [];
  for (const line of stdout.trim().split('\n')) {
    const result = JSON.parse(line) as Result;
    if (result.nesting > 0) inner.push(result);
    else {
      results.set(result.name, inner);
      inner = [];
    }
  }
  return results;
}

describe('the contract suite under node:test', function () {
  this.timeout(180_000);
  let results: ReadonlyMap<string, readonly Result[]>;

  before(() => {
    results = run();
  });

  const failuresOf = (name: string): readonly string[] | undefined =>
    results.get(name)?.flatMap((result) => (result.passed ? [] : [result.name]));

  it('has one test for each check', () => {
    const tests = results.get('sound')?.filter(({ nesting }) => nesting === 2);
    expect(tests?.map(({ name }) => name)).to.have.members(Object.keys(petCatalogueChecks));
  });

  it('passes a sound catalogue', () => {
    expect(failuresOf('sound')).to.deep.equal([]);
  });

  for (const [fault, { caughtBy }] of BROKEN) {
    it(`fails a catalogue that ${fault}: ${caughtBy}`, () => {
      expect(failuresOf(fault)).to.include(caughtBy);
    });
  }
});
