import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/child.js';
import { execForm, onlyInstruction } from './dockerfile.js';
import { deployFile, FLAGS, millisecondsOf, VARIABLES } from './known-settings.js';
import { faultsOf, installKubernetesSchemas, type Manifest } from './kubernetes-schemas.js';
import { needs } from './needs.js';

/** The oldest version with `preStop.sleep`, and the newest. */
const VERSIONS = ['1.30.0', '1.37.0'];

/** What the tests read of the manifests; the schemas check the rest. */
interface Deployment extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: object };
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
  };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly Variable[];
  readonly ports: readonly [Port, Port];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly resources: { readonly limits: object; readonly requests: object };
  readonly securityContext: object;
}

interface Port {
  readonly name: string;
  readonly containerPort: number;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: object };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Service extends Manifest {
  readonly spec: { readonly selector: object; readonly ports: readonly [{ readonly targetPort: string }] };
}

interface Budget extends Manifest {
  readonly spec: { readonly selector: { readonly matchLabels: object } };
}

const FILES = filesIn('kubernetes');
const SQLITE_FILES = filesIn('kubernetes/sqlite');
const DEPLOYMENT = manifest('deployment.yaml') as Deployment;
const SERVICE = manifest('service.yaml') as Service;
const BUDGET = manifest('pod-disruption-budget.yaml') as Budget;
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

/** The value of a variable of the container. */
function variable(name: string): string {
  return CONTAINER.env.find((entry) => entry.name === name)?.value ?? '';
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
    for (const { spec } of [DEPLOYMENT, BUDGET]) expect(spec.selector.matchLabels).to.deep.equal(labels);
    expect(SERVICE.spec.selector).to.deep.equal(labels);
  });

  it('give flags and variables that the command knows', () => {
    expect(FLAGS).to.include.members(CONTAINER.args.filter((each) => each.startsWith('--')));
    expect([...VARIABLES.keys()]).to.include.members(CONTAINER.env.map(({ name }) => name));
  });

  it('give the store sqlite a file in its volume, flags and variables that the command knows', () => {
    const { spec } = (manifest('sqlite/statefulset.yaml') as Deployment).spec.template;
    const { args, env, volumeMounts } = spec.containers[0] as Container & {
      readonly volumeMounts: readonly { readonly mountPath: string }[];
    };
    expect(FLAGS).to.include.members(args.filter((each) => each.startsWith('--')));
    expect([...VARIABLES.keys()]).to.include.members(env.map(({ name }) => name));
    const file = env.find(({ name }) => name === 'SQLITE_FILE')?.value ?? '';
    expect(file.startsWith(`${volumeMounts[0]?.mountPath ?? 'no volume'}/`)).to.equal(true);
  });

  it('take each secret from the secret of the same name', () => {
    for (const { name, valueFrom } of CONTAINER.env) {
      if (valueFrom !== undefined) expect(valueFrom.secretKeyRef).to.include({ name: 'animal-store', key: name });
    }
  });

  it('listen on every interface, on the port of the probes and the service', () => {
    expect(argument('--host')).to.equal('::');
    const [{ name, containerPort }] = CONTAINER.ports;
    expect(argument('--port')).to.equal(String(containerPort));
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      expect(CONTAINER[probe].httpGet.port, probe).to.equal(name);
    }
    expect(SERVICE.spec.ports[0].targetPort).to.equal(name);
  });

  it('name the port of the metrics, and keep it out of the service', () => {
    const [, { name, containerPort }] = CONTAINER.ports;
    expect(argument('--metrics-port')).to.equal(String(containerPort));
    expect(SERVICE.spec.ports.map(({ targetPort }) => targetPort)).not.to.include(name);
  });

  it('name the image of this version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(CONTAINER.image).to.equal(`animal-store:${version}`);
  });

  it('keep the command of the image', () => {
    expect(CONTAINER).not.to.have.property('command');
    expect(CONTAINER.args[0]).to.equal(execForm(onlyInstruction('CMD'))[0]);
  });

  it('restart by /livez, which does not ask the database, and route by /readyz, which does', () => {
    expect(CONTAINER.livenessProbe.httpGet.path).to.equal('/livez');
    expect(CONTAINER.readinessProbe.httpGet.path).to.equal('/readyz');
  });

  it('wait longer for a pod to end than its pause and its drain take', () => {
    const pause = CONTAINER.lifecycle.preStop.sleep.seconds * 1000;
    const drain = millisecondsOf(variable('SHUTDOWN_TIMEOUT'));
    expect(POD.terminationGracePeriodSeconds * 1000).to.be.at.least(pause + drain + 5000);
  });

  it('run as the user of the image, who is not root, on a read-only file system, without rights', () => {
    const [user, group] = onlyInstruction('USER').text.split(':').map(Number);
    expect(POD.securityContext).to.include({ runAsNonRoot: true, runAsUser: user, runAsGroup: group });
    expect(CONTAINER.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('bound the memory', () => {
    expect(CONTAINER.resources.limits).to.have.property('memory');
    expect(CONTAINER.resources.requests).to.have.all.keys('cpu', 'memory');
  });
});
