import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVE_SETTINGS } from '../../src/bootstrap/server-config.js';
import { ROOT } from '../support/child.js';
import { deployFile } from './known-settings.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const UNITS: Readonly<Record<string, number>> = { m: MIB, Mi: MIB, M: MIB };

/** What the process takes without load, and for requests that wait and garbage: docs/security.md, "Memory". */
const ALWAYS = (128 + 128) * MIB;
/** What a connection takes besides a body. */
const BY_CONNECTION = 11 * KIB;

interface Container {
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** The most memory that clients can make a process take, in bytes. */
function mostMemory(maxConnections: number): number {
  const { bodyLimit, maxUnsent } = SERVE_SETTINGS;
  return ALWAYS + maxUnsent.defaultValue + maxConnections * (bodyLimit.defaultValue + BY_CONNECTION);
}

/** The bytes of `512m`, `512Mi` or `512M`. */
function bytesOf(size: string): number {
  const [, count = '', unit = ''] = /^(\d+)([A-Za-z]+)$/.exec(size) ?? [];
  return Number(count) * (UNITS[unit] ?? Number.NaN);
}

describe('the limit on memory', () => {
  it('of the compose file has room for what clients can make the server take', () => {
    const { services } = parse(deployFile('compose/compose.yaml'), { merge: true }) as {
      services: { 'animal-store': { mem_limit: string; environment: Record<string, string> } };
    };
    const { mem_limit: limit, environment } = services['animal-store'];
    expect(bytesOf(limit)).to.be.above(mostMemory(Number(environment['MAX_CONNECTIONS'])));
  });

  it('of the manifest for Kubernetes has room for it', () => {
    const { spec } = parse(deployFile('kubernetes/deployment.yaml')) as {
      spec: { template: { spec: { containers: [Container] } } };
    };
    const [{ resources, env }] = spec.template.spec.containers;
    const maxConnections = env.find(({ name }) => name === 'MAX_CONNECTIONS')?.value;
    expect(bytesOf(resources.limits.memory)).to.be.above(mostMemory(Number(maxConnections)));
  });

  it('of the systemd unit has room for it', () => {
    const limit = /^MemoryMax=(.*)$/m.exec(deployFile('systemd/animal-store.service'))?.[1] ?? '';
    expect(bytesOf(limit)).to.be.above(mostMemory(SERVE_SETTINGS.maxConnections.defaultValue));
  });

  it('is what docs/security.md says for the defaults', () => {
    const document = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
    const rows = /### Memory\n.*?\n((?:\|.*\n)+)/s.exec(document)?.[1] ?? '';
    const cells = [...rows.matchAll(/\| ([\d,]+) MiB \|$/gm)].map(([, text = '']) => Number(text.replace(',', '')));
    const sum = cells.pop();
    expect(sum).to.equal(cells.reduce((total, each) => total + each, 0));
    expect(sum).to.equal(Math.round(mostMemory(SERVE_SETTINGS.maxConnections.defaultValue) / MIB));
  });
});
