import { expect } from 'chai';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { fileOf, npmProgram, readDocument, pythonProgram, run, runPython, TOOLS, type Outcome } from './tools.js';

/** Each linter, by the file of the document, and what it says if it finds nothing wrong. */
const LINTERS: Readonly<Record<string, readonly [lint: (file: string) => Promise<Outcome>, praise: string]>> = {
  'redocly, by recommended-strict': [
    async (file) => run(npmProgram('redocly'), ['lint', '--extends', 'recommended-strict', file]),
    'Your API description is valid',
  ],
  'spectral, by oas': [
    async (file) => {
      const ruleset = fileOf('ruleset.json', '{"extends":["spectral:oas"]}');
      return run(npmProgram('spectral'), ['lint', '--fail-severity', 'hint', '--ruleset', ruleset, file]);
    },
    'No results with a severity of',
  ],
  'openapi-spec-validator': [async (file) => runPython([await pythonProgram('openapi-spec-validator'), file]), ': OK'],
};

describe('the OpenAPI document, linted', () => {
  before(async function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
    await installPackages(TOOLS);
  });

  for (const [title, [lint, praise]] of Object.entries(LINTERS)) {
    it(`has nothing that ${title}, finds wrong`, async () => {
      const { code, output } = await lint((await readDocument()).file);
      expect(code, output).to.equal(0);
      expect(output).to.include(praise);
    });
  }
});
