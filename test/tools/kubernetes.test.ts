import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { pythonProgram, ROOT, runPython } from './tools.js';

const FOLDER = join(ROOT, 'deploy/kubernetes');
/** The oldest version with `preStop.sleep`, and the newest. */
const VERSIONS = ['1.30', '1.37'];

describe('the manifests for Kubernetes', () => {
  before(function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
  });

  it(`are valid in the versions ${VERSIONS.join(' and ')}`, async () => {
    const manifests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      // The schemas do not have the PodMonitor of the Prometheus Operator.
      /(?<!kustomization|pod-monitor)\.yaml$/.test(file),
    );
    const flags = VERSIONS.flatMap((version) => ['--kubernetes-version', version]);
    const files = manifests.map((file) => join(FOLDER, file));
    // Strict, it allows no member that the schemas do not have.
    const args = [await pythonProgram('kubernetes-validate'), '--strict', ...flags, ...files];
    const { code, output } = await runPython(args);
    expect(code, output).to.equal(0);
    for (const file of manifests)
      for (const version of VERSIONS) expect(output).to.match(new RegExp(`${file} passed .* ${version}$`, 'm'));
  });
});
