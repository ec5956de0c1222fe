import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { fileOf, pythonProgram, ROOT, runPython } from './tools.js';

const FOLDER = join(ROOT, 'deploy/kubernetes');
/** The oldest version with `preStop.sleep`, and the newest. */
const VERSIONS = ['1.30', '1.37'];

/** What kubernetes-validate says of some manifests. It allows no member that the schemas do not have. */
async function validate(...files: readonly string[]) {
  const flags = VERSIONS.flatMap((version) => ['--kubernetes-version', version]);
  return runPython([await pythonProgram('kubernetes-validate'), '--strict', ...flags, ...files]);
}

describe('the manifests for Kubernetes', () => {
  before(function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
  });

  it(`are valid in the versions ${VERSIONS.join(' and ')}`, async () => {
    const manifests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!kustomization)\.yaml$/.test(file),
    );
    const { code, output } = await validate(...manifests.map((file) => join(FOLDER, file)));
    expect(code, output).to.equal(0);
    for (const file of manifests)
      for (const version of VERSIONS) expect(output).to.match(new RegExp(`${file} passed .* ${version}$`, 'm'));
  });

  it('would be refused with a member that Kubernetes does not know', async () => {
    const text = readFileSync(join(FOLDER, 'deployment.yaml'), 'utf8');
    const { code } = await validate(fileOf('misspelt.yaml', text.replace('readinessProbe', 'readinesProbe')));
    expect(code).to.equal(1);
  });
});
