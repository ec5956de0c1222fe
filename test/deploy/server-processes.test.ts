import { expect } from 'chai';
import { readdirSync } from 'node:fs';
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

/** A service of a compose file. */
interface Service {
  readonly image: string;
  readonly mem_limit?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A container of a manifest for Kubernetes. */
interface Container {
  readonly image: string;
  readonly resources?: { readonly limits?: { readonly memory?: string } };
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
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

/** What a file of `deploy` says of one process of the server. */
interface Process {
  /** Its limit on memory; `undefined` if there is none. */
  readonly limit: string | undefined;
  /** Its `MAX_CONNECTIONS`; `undefined` if it has the default. */
  readonly maxConnections: string | undefined;
}

/** The processes of the server that a file of `deploy` starts. */
function processesIn(path: string): Process[] {
  if (!/\.(?:service|yaml)$/.test(path)) return [];
  const text = deployFile(path);
  if (path.endsWith('.service')) {
    const value = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];
    return [{ limit: value('MemoryMax'), maxConnections: value('Environment=MAX_CONNECTIONS') }];
  }
  const { services = {}, spec } = parse(text, { merge: true }) as {
    readonly services?: Readonly<Record<string, Service>>;
    readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
  };
  return [
    ...Object.values(services)
      .filter(({ image }) => isOurs(image))
      .map(({ mem_limit: limit, environment }) => ({ limit, maxConnections: environment?.['MAX_CONNECTIONS'] })),
    ...(spec?.template?.spec.containers ?? [])
      .filter(({ image }) => isOurs(image))
      .map(({ resources, env = [] }) => ({
        limit: resources?.limits?.memory,
        maxConnections: env.find(({ name }) => name === 'MAX_CONNECTIONS')?.value,
      })),
  ];
}

function isOurs(image: string): boolean {
  return /(?:^|\/)animal-store(?:[:@]|$)/.test(image);
}

describe('the limit on memory', () => {
  const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' });
  const processes = files.flatMap((path) => processesIn(path).map((process) => ({ path, ...process })));

  it('is in every file that starts the server', () => {
    const paths = processes.map(({ path }) => path);
    expect(paths).to.include.members(['compose/compose.yaml', 'kubernetes/deployment.yaml']);
    expect(paths).to.have.lengthOf.at.least(5);
    for (const { path, limit } of processes) expect(limit, `the limit on memory of deploy/${path}`).to.be.a('string');
  });

  for (const { path, limit = '', maxConnections = SERVE_SETTINGS.maxConnections.defaultValue } of processes) {
    it(`of ${path} has room for what clients can make the server take`, () => {
      expect(bytesOf(limit)).to.be.above(mostMemory(Number(maxConnections)));
    });
  }
});
