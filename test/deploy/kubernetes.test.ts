import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/child.js';
import { execForm, onlyInstruction } from './dockerfile.js';
import { deployFile } from './known-settings.js';
import { faultsOf, installKubernetesSchemas, VERSIONS, type Manifest } from './kubernetes-schemas.js';
import { needs } from './needs.js';

/** What the tests read of a manifest besides what Chai finds by its path; the schemas check the rest. */
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly containers: readonly [Container] };
    };
  };
}

const FILES = filesIn('kubernetes');
const SQLITE_FILES = filesIn('kubernetes/sqlite');
const DEPLOYMENT = manifest('deployment.yaml') as Deployment;
const SERVICE = manifest('service.yaml');
const POD = DEPLOYMENT.spec.template.spec;
const [CONTAINER] = POD.containers;

/** The manifests in a folder, but the kustomization. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, 'deploy', folder)).filter((file) => /(?<!^kustomization)\.yaml$/.test(file));
}

function manifest(file: string): Manifest {
  return parse(deployFile(`kubernetes/${file}`)) as Manifest;
}

/** The value of a flag in the arguments of the container. */
function argument(flag: string): string | undefined {
  return CONTAINER.args[CONTAINER.args.indexOf(flag) + 1];
}

describe('the manifests for Kubernetes', () => {
  before(function () {
    this.timeout(180_000);
    needs(this, 'python3', ['-m', 'pip', '--version']);
    installKubernetesSchemas();
  });

  for (const file of [...FILES, ...SQLITE_FILES.map((name) => `sqlite/${name}`)]) {
    for (const version of VERSIONS) {
      it(`are valid: ${file} in version ${version}`, () => {
        expect(faultsOf(manifest(file), version)).to.deep.equal([]);
      });
    }
  }

  it('would be refused with a member that Kubernetes does not know', () => {
    const misspelt = deployFile('kubernetes/deployment.yaml').replace('readinessProbe', 'readinesProbe');
    expect(faultsOf(parse(misspelt) as Manifest, '1.37.0').join()).to.include('readinesProbe');
  });

  it('are all part of the kustomization', () => {
    for (const [folder, files] of [
      ['', FILES],
      ['sqlite/', SQLITE_FILES],
    ] as const) {
      const { resources } = manifest(`${folder}kustomization.yaml`) as Manifest & { readonly resources: unknown };
      const place = `a manifest goes into deploy/kubernetes/${folder}kustomization.yaml`;
      expect(resources, place).to.have.members([...files]);
    }
  });

  it('select the pods of the deployment', () => {
    const { labels } = DEPLOYMENT.spec.template.metadata;
    for (const each of [DEPLOYMENT, manifest('pod-disruption-budget.yaml')]) {
      expect(each).to.have.nested.property('spec.selector.matchLabels').that.deep.equals(labels);
    }
    expect(SERVICE).to.have.nested.property('spec.selector').that.deep.equals(labels);
  });

  it('give the store sqlite a file in its volume', () => {
    const [container] = (manifest('sqlite/statefulset.yaml') as Deployment).spec.template.spec.containers;
    const file = container.env.find(({ name }) => name === 'SQLITE_FILE')?.value ?? '';
    expect(container).to.have.nested.property('volumeMounts[0].mountPath', dirname(file));
  });

  it('take each secret from the secret of the same name', () => {
    for (const { name, valueFrom } of CONTAINER.env) {
      if (valueFrom === undefined) continue;
      expect(valueFrom, name).to.nested.include({ 'secretKeyRef.name': 'animal-store', 'secretKeyRef.key': name });
    }
  });

  it('listen on every interface, on the port of the probes and the service', () => {
    expect(argument('--host')).to.equal('::');
    expect(CONTAINER).to.nested.include({
      'ports[0].name': 'http',
      'ports[0].containerPort': Number(argument('--port')),
      'startupProbe.httpGet.port': 'http',
      'livenessProbe.httpGet.port': 'http',
      'readinessProbe.httpGet.port': 'http',
    });
    expect(SERVICE).to.have.nested.property('spec.ports[0].targetPort', 'http');
  });

  it('name the port of the metrics, and keep it out of the service', () => {
    expect(CONTAINER).to.nested.include({
      'ports[1].name': 'metrics',
      'ports[1].containerPort': Number(argument('--metrics-port')),
    });
    expect(SERVICE).to.have.nested.property('spec.ports').with.lengthOf(1);
  });

  it('name the image of this version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(CONTAINER).to.have.property('image', `animal-store:${version}`);
  });

  it('keep the command of the image', () => {
    expect(CONTAINER).not.to.have.property('command');
    expect(CONTAINER.args[0]).to.equal(execForm(onlyInstruction('CMD'))[0]);
  });

  it('restart by /livez, which does not ask the database, and route by /readyz, which does', () => {
    expect(CONTAINER).to.nested.include({
      'livenessProbe.httpGet.path': '/livez',
      'readinessProbe.httpGet.path': '/readyz',
    });
  });

  it('run as the user of the image, who is not root, on a read-only file system, without rights', () => {
    const [runAsUser, runAsGroup] = onlyInstruction('USER').text.split(':').map(Number);
    expect(POD).to.have.property('securityContext').that.includes({ runAsNonRoot: true, runAsUser, runAsGroup });
    expect(CONTAINER)
      .to.have.property('securityContext')
      .that.deep.equals({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('ask for the CPU time and the memory that they need', () => {
    expect(CONTAINER).to.have.nested.property('resources.requests').with.all.keys('cpu', 'memory');
  });
});
