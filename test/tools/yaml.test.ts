import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { installPackages } from '../support/install-packages.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { GO_ENVIRONMENT, installGo, installSnakeYaml } from './install.js';
import { fileOf, printDocument, run, runPython, TOOLS, type Outcome } from './tools.js';

/** The document as YAML and as JSON, each in a file. */
interface Printed {
  readonly yaml: string;
  readonly json: string;
}

/** A parser of YAML, by a program that prints what it read as JSON. */
interface Parser {
  readonly program: readonly [string, ...string[]];
  readonly parse: (file: string) => Promise<Outcome>;
}

const python = (load: string): string => `
import json, sys
with open(sys.argv[1], encoding='utf-8') as file:
    ${load}
json.dump(document, sys.stdout)
`;

const GO = `
package main

import (
	"encoding/json"
	"os"

	"gopkg.in/yaml.v3"
)

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var document any
	if err := yaml.Unmarshal(bytes, &document); err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(document); err != nil {
		panic(err)
	}
}
`;

/** Java has no JSON, but JSON is YAML: SnakeYAML reads both files, and the program prints whether they have the same value. */
const JAVA = `
import java.nio.file.*;
import org.yaml.snakeyaml.Yaml;

public class Main {
  public static void main(String[] args) throws Exception {
    Object yaml = new Yaml().load(Files.readString(Path.of(args[0])));
    Object json = new Yaml().load(Files.readString(Path.of(args[1])));
    System.out.print(yaml.equals(json));
  }
}
`;

const JS_YAML = `
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
console.log(JSON.stringify(load(readFileSync(process.argv[1], 'utf8'))));
`;

async function parseByGo(file: string): Promise<Outcome> {
  const cwd = makeTemporaryFolder();
  writeFileSync(join(cwd, 'main.go'), GO);
  writeFileSync(join(cwd, 'go.mod'), 'module read\n\nrequire gopkg.in/yaml.v3 v3.0.1\n');
  return run('go', ['run', '.', file], { cwd, env: GO_ENVIRONMENT });
}

const PARSERS: Readonly<Record<string, Parser>> = {
  'PyYAML, of YAML 1.1': {
    program: ['python3', '-m', 'pip', '--version'],
    parse: async (file) => runPython(['-c', python('import yaml; document = yaml.safe_load(file)'), file]),
  },
  'ruamel.yaml, of YAML 1.2': {
    program: ['python3', '-m', 'pip', '--version'],
    parse: async (file) => {
      const load = "from ruamel.yaml import YAML; document = YAML(typ='safe', pure=True).load(file)";
      return runPython(['-c', python(load), file]);
    },
  },
  'go-yaml, of both': { program: ['go', 'version'], parse: parseByGo },
  'js-yaml, of YAML 1.2': {
    program: ['node', '--version'],
    parse: async (file) =>
      run(process.execPath, ['--input-type=module', '--eval', JS_YAML, '--', file], { cwd: TOOLS }),
  },
};

describe('the OpenAPI document as YAML, printed by the packed package', function () {
  this.timeout(300_000);
  let printed: Printed;
  let document: unknown;

  before(async () => {
    await installPackages(TOOLS);
    const json = printDocument();
    document = JSON.parse(json);
    printed = { json: fileOf('openapi.json', json), yaml: fileOf('openapi.yaml', printDocument('--yaml')) };
  });

  for (const [title, { program, parse }] of Object.entries(PARSERS)) {
    it(`has the value of the JSON for ${title}`, async function () {
      const [name, ...args] = program;
      needs(this, name, args);
      const { code, output } = await parse(printed.yaml);
      expect(code, output).to.equal(0);
      expect(JSON.parse(output)).to.deep.equal(document);
    });
  }

  it('has the value of the JSON for SnakeYAML, of YAML 1.1', async function () {
    needs(this, 'mvn', ['--version']);
    const classPath = await installSnakeYaml();
    const args = ['-cp', classPath, fileOf('Main.java', JAVA), printed.yaml, printed.json];
    expect(await run('java', args)).to.deep.equal({ code: 0, output: 'true' });
  });

  it('makes oapi-codegen generate the same client as the JSON', async function () {
    needs(this, 'go', ['version']);
    const generator = await installGo('oapi-codegen');
    const [fromYaml, fromJson] = await Promise.all(
      [printed.yaml, printed.json].map(async (file) =>
        run(generator, ['-generate', 'types,client', '-package', 'x', file]),
      ),
    );
    expect(fromYaml?.code, fromYaml?.output).to.equal(0);
    expect(fromYaml).to.deep.equal(fromJson);
  });
});
