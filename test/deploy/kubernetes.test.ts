import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MANIFEST } from '../package/project.js';
import { ROOT } from '../support/child.js';
import { needs } from '../support/needs.js';
import { succeedPython } from '../tools/tools.js';
import { textOf, wordsOf } from './dockerfile.js';
import { deployFile, deployYaml } from './known-settings.js';

const FOLDER = join(ROOT, 'deploy/kubernetes');
/** The oldest version with `preStop.sleep`, and the newest. */
const VERSIONS = ['1.30', '1.37'];

/** What the tests read of a container besides what Chai finds by its path. */
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
}

describe('the manifests for Kubernetes', () => {
  it(`are valid in the versions ${VERSIONS.join(' and ')}`, async function () {
    needs(this, 'python3', ['-m', 'pip', '--version']);
    const manifests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      // The schemas do not have the PodMonitor of the Prometheus Operator.
      /(?<!kustomization|pod-monitor)\.yaml$/.test(file),
    );
    // Strict, it allows no member that the schemas do not have.
    const flags = ['--strict', ...VERSIONS.flatMap((version) => ['--kubernetes-version', version])];
    const files = manifests.map((file) => join(FOLDER, file));
    const output = await succeedPython('kubernetes-validate', [...flags, ...files]);
    for (const file of manifests)
      for (const version of VERSIONS) expect(output).to.match(new RegExp(`${file} passed .* ${version}$`, 'm'));
  });

  for (const [folder, workload] of [
    ['kubernetes', 'deployment'],
    ['kubernetes/sqlite', 'statefulset'],
  ] as const) {
    const manifest = (name: string) => deployYaml(`${folder}/${name}.yaml`);
    const { spec } = manifest(workload);
    const pod = spec.template.spec as { readonly containers: readonly [Container] };
    const [container] = pod.containers;
    const argument = (flag: string): string | undefined => container.args[container.args.indexOf(flag) + 1];

    describe(`in deploy/${folder}`, () => {
      it('are all part of the kustomization', () => {
        // A PodMonitor needs the Prometheus Operator.
        const files = readdirSync(join(ROOT, 'deploy', folder)).filter((file) =>
          /(?<!^kustomization|^pod-monitor)\.yaml$/.test(file),
        );
        expect(manifest('kustomization').resources).to.have.members(files);
      });

      it('lead requests, probes and the PodMonitor to the ports of the pods', () => {
        const { labels } = spec.template.metadata;
        const service = manifest('service').spec;
        const monitor = deployYaml('kubernetes/pod-monitor.yaml').spec;
        for (const selected of [spec.selector.matchLabels, service.selector, monitor.selector.matchLabels])
          expect(selected).to.deep.equal(labels);
        expect(argument('--host')).to.equal('::');
        expect(container).to.nested.include({
          'ports[0].name': 'http',
          'ports[0].containerPort': Number(argument('--port')),
          'ports[1].name': 'metrics',
          'ports[1].containerPort': Number(argument('--metrics-port')),
          'livenessProbe.httpGet.port': 'http',
          'livenessProbe.httpGet.path': '/livez',
          'readinessProbe.httpGet.port': 'http',
          'readinessProbe.httpGet.path': '/readyz',
        });
        expect(service.ports).to.have.lengthOf(1);
        expect(service.ports[0]).to.include({ targetPort: 'http' });
        expect(monitor.podMetricsEndpoints).to.deep.equal([{ port: 'metrics' }]);
        expect(deployFile('prometheus/rules.yaml')).to.include(`up{job="${labels[monitor.jobLabel] as string}"}`);
      });

      it('run the command of the image of this version, with secrets of the same names', () => {
        expect(container).to.have.property('image', `animal-store:${MANIFEST.version}`);
        expect(container).not.to.have.property('command');
        expect(container.args[0]).to.equal(wordsOf('CMD')[0]);
        for (const { name, valueFrom } of container.env) {
          if (valueFrom === undefined) continue;
          expect(valueFrom, name).to.nested.include({ 'secretKeyRef.name': 'animal-store', 'secretKeyRef.key': name });
        }
      });

      it('run as the user of the image, who is not root, on a read-only file system, without rights', () => {
        const [runAsUser, runAsGroup] = textOf('USER').split(':').map(Number);
        expect(pod).to.have.property('securityContext').that.includes({ runAsNonRoot: true, runAsUser, runAsGroup });
        expect(container)
          .to.have.property('securityContext')
          .that.deep.equals({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      });

      if (workload === 'deployment') {
        it('export with the image, the rights and the secret of the pods, into a volume that is there', () => {
          const job = manifest('export').spec.jobTemplate.spec.template.spec;
          const [exporting] = job.containers;
          const { image, securityContext } = container as unknown as Record<string, unknown>;
          expect({ image: exporting.image, securityContext: exporting.securityContext }).to.deep.equal({
            image,
            securityContext,
          });
          expect(container.env).to.deep.include(exporting.env[0]);
          expect(exporting.args[0]).to.include(`${wordsOf('ENTRYPOINT').join(' ')} export `);
          expect(exporting.args[0]).to.include(`${exporting.volumeMounts[0].mountPath}/`);
          const claim = manifest('export-volume').metadata.name as string;
          expect(job.volumes[0].persistentVolumeClaim.claimName).to.equal(claim);
        });
      } else {
        it('give the store sqlite a file in its volume', () => {
          const file = container.env.find(({ name }) => name === 'SQLITE_FILE')?.value ?? '';
          expect(container).to.have.nested.property('volumeMounts[0].mountPath', dirname(file));
        });
      }
    });
  }
});
