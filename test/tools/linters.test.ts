import { expect } from 'chai';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { fileOf, npmProgram, readDocument, pythonProgram, run, runPython, TOOLS, type Outcome } from './tools.js';

/** Each linter, by the arguments that it takes before the document. */
const LINTERS: Readonly<Record<string, (file: string) => Promise<Outcome>>> = {
  'redocly, by recommended-strict': async (file) =>
    run(npmProgram('redocly'), ['lint', '--extends', 'recommended-strict', file]),
  'spectral, by oas': async (file) => {
    const ruleset = fileOf('ruleset.json', '{"extends":["spectral:oas"]}');
    return run(npmProgram('spectral'), ['lint', '--fail-severity', 'hint', '--ruleset', ruleset, file]);
  },
  'openapi-spec-validator': async (file) => runPython([await pythonProgram('openapi-spec-validator'), file]),
};

describe('the OpenAPI document, linted', function () {
  this.timeout(180_000);
  let document: { readonly file: string; readonly text: string };

  before(async function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
    await installPackages(TOOLS);
    document = await readDocument();
  });

  for (const [title, lint] of Object.entries(LINTERS)) {
    it(`has nothing that ${title}, finds wrong`, async () => {
      const { code, output } = await lint(document.file);
      expect(code, output).to.equal(0);
    });

    it(`would have something that ${title}, finds wrong without its title`, async () => {
      const { code, output } = await lint(fileOf('openapi.json', withoutTitle(document.text)));
      expect(code, output).not.to.equal(0);
    });
  }
});

function withoutTitle(text: string): string {
  const document = JSON.parse(text) as { readonly info: object };
  return JSON.stringify({ ...document, info: { ...document.info, title: undefined } });
}
