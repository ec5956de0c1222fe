import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { installGo } from './install.js';
import { fileOf, printDocument, run, runPython, TOOLS, type Outcome } from './tools.js';

const python = (load: string): string => `
import json, sys
with open(sys.argv[1], encoding='utf-8') as file:
    ${load}
json.dump(document, sys.stdout)
`;

const JS_YAML = `
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
console.log(JSON.stringify(load(readFileSync(process.argv[1], 'utf8'))));
`;

/** Programs that print what a parser of YAML reads in a file as JSON. */
const PARSERS: Readonly<Record<string, (file: string) => Promise<Outcome>>> = {
  'PyYAML, of YAML 1.1': async (file) =>
    runPython(['-c', python('import yaml; document = yaml.safe_load(file)'), file]),
  'ruamel.yaml, of YAML 1.2': async (file) =>
    runPython(['-c', python("from ruamel.yaml import YAML; document = YAML(typ='safe', pure=True).load(file)"), file]),
  'js-yaml, of YAML 1.2': async (file) =>
    run(process.execPath, ['--input-type=module', '--eval', JS_YAML, '--', file], { cwd: TOOLS }),
};

describe('the OpenAPI document as YAML, printed by the packed package', function () {
  this.timeout(300_000);
  let yaml: string;
  let json: string;

  before(async () => {
    await installPackages(TOOLS);
    [json, yaml] = [fileOf('openapi.json', printDocument()), fileOf('openapi.yaml', printDocument('--yaml'))];
  });

  for (const [title, parse] of Object.entries(PARSERS)) {
    it(`has the value of the JSON for ${title}`, async function () {
      needs(this, 'python3', ['-m', 'pip', '--version']);
      const { code, output } = await parse(yaml);
      expect(code, output).to.equal(0);
      expect(JSON.parse(output)).to.deep.equal(JSON.parse(readFileSync(json, 'utf8')));
    });
  }

  it('makes oapi-codegen, which reads it by go-yaml, generate the same client as the JSON', async function () {
    needs(this, 'go', ['version']);
    const generator = await installGo('oapi-codegen');
    const generate = async (file: string) => run(generator, ['-generate', 'types,client,spec', '-package', 'x', file]);
    const [fromYaml, fromJson] = [await generate(yaml), await generate(json)];
    expect(fromYaml.code, fromYaml.output).to.equal(0);
    expect(fromYaml).to.deep.equal(fromJson);
  });
});
