import { expect } from 'chai';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installPython } from './install.js';
import { KEY, pythonProgram, runPython, startService, TOOLS } from './tools.js';

/** How many requests schemathesis makes up for each operation and test. One run, as two phases are the same in each. */
const EXAMPLES = 30;

describe('schemathesis, which makes up requests from the OpenAPI document', function () {
  // Python computes for a quarter of a minute, and nine times as long beside the tests of `.ci/run`.
  this.timeout(600_000);

  before(async function () {
    this.timeout(300_000);
    needs(this, 'python3', ['-m', 'pip', '--version']);
    await installPython();
  });

  it('finds nothing by any check in any phase, and reaches every operation', async () => {
    const service = await startService();
    const args = [
      await pythonProgram('schemathesis'),
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
    const { code, output } = await runPython(args, { cwd: makeTemporaryFolder() });
    expect(code, output).to.equal(0);
    expect(output).to.match(/Tested: 3\n/);
    // The stateful phase creates animals, and then gets and lists them.
    expect(output).to.match(/API Links: +([1-9]\d*) covered \/ \1 selected/);
    const succeeded = service.answered
      .filter(({ status }) => status < 300)
      .map(({ method, route }) => `${method} ${route}`);
    expect(new Set(succeeded)).to.include.all.keys('GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets/:petId');
  });
});
