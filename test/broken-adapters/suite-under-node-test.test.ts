import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { brokenAdds } from './broken-adds.js';
import { petCatalogueChecks } from '../contracts/pet-catalogue-contract.js';

/** Runs the suite in a separate process under node:test; the sentences of its checks that passed, and of those that failed. */
function run(...args: readonly string[]): { readonly passed: string[]; readonly failed: string[] } {
  const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env;
  const file = new URL('suite-under-node-test.ts', import.meta.url).pathname;
  const node = ['--import', 'tsx', '--test-reporter=tap', file, ...args];
  const { stdout } = spawnSync(process.execPath, node, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const sentences = (result: string): string[] =>
    [...stdout.matchAll(new RegExp(`^ {4}${result} \\d+ - (.*)$`, 'gm'))].map(([, sentence = '']) => sentence);
  return { passed: sentences('ok'), failed: sentences('not ok') };
}

describe('the contract suite under node:test', function () {
  this.timeout(180_000);

  it('has one test for each check, which a sound catalogue passes', () => {
    const { passed, failed } = run();
    expect(passed).to.have.members(Object.keys(petCatalogueChecks));
    expect(failed).to.deep.equal([]);
  });

  // `broken-catalogues.test.ts` has the same checks catch each of the broken catalogues, whatever the runner is.
  it('fails a broken catalogue', () => {
    const [[sentence, creates] = ['', {}]] = Object.entries(brokenAdds);
    expect(run(sentence, ...Object.keys(creates)).failed).to.include(sentence);
  });
});
