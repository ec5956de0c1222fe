import { expect } from 'chai';
import { join } from 'node:path';
import { needs } from '../support/needs.js';
import { KEY } from '../support/in-memory-interface.js';
import { installPackages } from '../support/install-packages.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { documentFile, startService, succeedNpm, succeedPython, TOOLS } from './tools.js';

/** How many requests schemathesis makes up for each operation and test. */
const EXAMPLES = 30;

describe('the OpenAPI document', () => {
  it('has nothing that redocly finds wrong, its examples among it', async () => {
    await installPackages(TOOLS);
    const output = await succeedNpm('redocly', ['lint', '--extends', 'recommended-strict', await documentFile()]);
    expect(output).to.include('Your API description is valid');
  });

  it('describes the service, in all that schemathesis checks by requests that it makes up of the document', async function () {
    // Python computes for a quarter of a minute, and nine times as long beside the tests of `.ci/run`.
    this.timeout(600_000);
    needs(this, 'python3', ['-m', 'pip', '--version']);
    const service = await startService();
    const args = [
      `--config-file=${join(TOOLS, 'schemathesis.toml')}`,
      'run',
      new URL('/openapi.json', service.url).href,
      `--header=Authorization: Bearer ${KEY}`,
      '--seed=1',
      `--max-examples=${EXAMPLES}`,
      '--checks=all',
      '--mode=all',
      '--phases=examples,coverage,fuzzing,stateful',
      '--continue-on-failure',
      '--generation-database=none',
    ];
    // It writes its cache and reports into the folder that it runs in.
    const output = await succeedPython('schemathesis', args, { cwd: makeTemporaryFolder() });
    expect(output).to.match(/Tested: 3\n/);
    // The stateful phase creates animals, and then gets and lists them.
    expect(output).to.match(/API Links: +([1-9]\d*) covered \/ \1 selected/);
    const succeeded = service.answered.filter(({ status }) => status < 300);
    expect(new Set(succeeded.map(({ method, route }) => `${method} ${route}`))).to.include.all.keys(
      'GET /v1/pets',
      'POST /v1/pets',
      'GET /v1/pets/:petId',
    );
  });
});
