import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/child.js';
import { MANIFEST } from '../package/project.js';
import { execForm, onlyInstruction } from './dockerfile.js';
import { deployFile, deployYaml } from './known-settings.js';

// test/tools/kubernetes.test.ts validates the manifests by the schemas of Kubernetes.

/** What the tests read of a container besides what Chai finds by its path. */
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
}

for (const [folder, workload] of [
  ['kubernetes', 'deployment'],
  ['kubernetes/sqlite', 'statefulset'],
] as const) {
  describe(`the manifests in deploy/${folder}`, () => {
    const manifest = (name: string) => deployYaml(`${folder}/${name}.yaml`);
    const { spec } = manifest(workload);
    const service = manifest('service') as unknown;
    const pod = spec.template.spec as { readonly containers: readonly [Container] };
    const [container] = pod.containers;
    const argument = (flag: string): string | undefined => container.args[container.args.indexOf(flag) + 1];

    it('are all part of the kustomization', () => {
      // A PodMonitor needs the Prometheus Operator.
      const files = readdirSync(join(ROOT, 'deploy', folder)).filter((file) =>
        /(?<!^kustomization|^pod-monitor)\.yaml$/.test(file),
      );
      const place = `a manifest goes into deploy/${folder}/kustomization.yaml`;
      expect(manifest('kustomization').resources, place).to.have.members(files);
    });

    it('select the pods', () => {
      const { labels } = spec.template.metadata;
      expect(spec.selector.matchLabels).to.deep.equal(labels);
      expect(service).to.have.nested.property('spec.selector').that.deep.equals(labels);
    });

    it('take each secret from the secret of the same name', () => {
      for (const { name, valueFrom } of container.env) {
        if (valueFrom === undefined) continue;
        expect(valueFrom, name).to.nested.include({ 'secretKeyRef.name': 'animal-store', 'secretKeyRef.key': name });
      }
    });

    it('listen on every interface, on the port of the probes and the service', () => {
      expect(argument('--host')).to.equal('::');
      expect(container).to.nested.include({
        'ports[0].name': 'http',
        'ports[0].containerPort': Number(argument('--port')),
        'livenessProbe.httpGet.port': 'http',
        'readinessProbe.httpGet.port': 'http',
      });
      expect(service).to.have.nested.property('spec.ports[0].targetPort', 'http');
    });

    it('name the port of the metrics, and keep it out of the service', () => {
      expect(container).to.nested.include({
        'ports[1].name': 'metrics',
        'ports[1].containerPort': Number(argument('--metrics-port')),
      });
      expect(service).to.have.nested.property('spec.ports').with.lengthOf(1);
    });

    it('are asked for their metrics by the PodMonitor, under the job of the alerts', () => {
      const monitor = deployYaml('kubernetes/pod-monitor.yaml').spec;
      expect(monitor.selector).to.deep.equal(spec.selector);
      expect(monitor.podMetricsEndpoints).to.deep.equal([{ port: 'metrics' }]);
      const job = spec.template.metadata.labels[monitor.jobLabel] as string;
      expect(deployFile('prometheus/rules.yaml')).to.include(`up{job="${job}"}`);
    });

    it('name the image of this version, and keep its command', () => {
      expect(container).to.have.property('image', `animal-store:${MANIFEST.version}`);
      expect(container).not.to.have.property('command');
      expect(container.args[0]).to.equal(execForm(onlyInstruction('CMD'))[0]);
    });

    it('restart by /livez, which does not ask the database, and route by /readyz, which does', () => {
      expect(container).to.nested.include({
        'livenessProbe.httpGet.path': '/livez',
        'readinessProbe.httpGet.path': '/readyz',
      });
    });

    it('run as the user of the image, who is not root, on a read-only file system, without rights', () => {
      const [runAsUser, runAsGroup] = onlyInstruction('USER').text.split(':').map(Number);
      expect(pod).to.have.property('securityContext').that.includes({ runAsNonRoot: true, runAsUser, runAsGroup });
      expect(container)
        .to.have.property('securityContext')
        .that.deep.equals({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    });

    it('ask for the CPU time and the memory that they need', () => {
      expect(container).to.have.nested.property('resources.requests').with.all.keys('cpu', 'memory');
    });

    if (workload === 'deployment') {
      it('export with the image, the rights and the secret of the pods, into a volume that is there', () => {
        const job = manifest('export').spec.jobTemplate.spec.template.spec;
        const [exporting] = job.containers;
        for (const name of ['image', 'securityContext'] as const) {
          expect(exporting[name], name).to.deep.equal((container as unknown as Record<string, unknown>)[name]);
        }
        expect(container.env).to.deep.include(exporting.env[0]);
        expect(exporting.args[0]).to.include(`${execForm(onlyInstruction('ENTRYPOINT')).join(' ')} export `);
        expect(exporting.args[0]).to.include(`${exporting.volumeMounts[0].mountPath}/`);
        const claim = manifest('export-volume').metadata.name as string;
        expect(job.volumes[0].persistentVolumeClaim.claimName).to.equal(claim);
      });

      it('ask a pod that starts at the same port, and keep the pods of the disruption budget', () => {
        expect(container).to.nested.include({ 'startupProbe.httpGet.port': 'http' });
        expect(manifest('pod-disruption-budget').spec.selector).to.deep.equal(spec.selector);
      });
    } else {
      it('give the store sqlite a file in its volume', () => {
        const file = container.env.find(({ name }) => name === 'SQLITE_FILE')?.value ?? '';
        expect(container).to.have.nested.property('volumeMounts[0].mountPath', dirname(file));
      });
    }
  });
}
