import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SERVER_DEFAULTS } from '../../src/bootstrap/server-config.js';
import { ROOT } from '../support/child.js';
import type { Compose, ComposeService } from './compose-files.js';
import { deployFile, FLAGS, millisecondsOf, VARIABLES } from './known-settings.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const UNITS: Readonly<Record<string, number>> = { m: MIB, Mi: MIB, M: MIB };

/** What the process takes without load, and for requests that wait and garbage: docs/security.md, "Memory". */
const ALWAYS = (128 + 128) * MIB;
/** What a connection takes besides a body. */
const BY_CONNECTION = 11 * KIB;
/** How much longer than its drain a process may take to end, in milliseconds. */
const AFTER_DRAIN_MS = 5000;

/** What a file of `deploy` says of one process of the server. */
interface ServerProcess {
  readonly words: readonly string[];
  /** The variables that the file gives it, with their values, if they are there. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Its limit on memory; `undefined` if there is none. */
  readonly memory: string | undefined;
  /** How long it may take to end, with what passes before it gets the signal. */
  readonly grace: string;
  readonly pause?: string;
}

/** A pod of a manifest for Kubernetes. */
interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly {
    readonly image: string;
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
    readonly resources?: { readonly limits?: { readonly memory?: string } };
  }[];
}

/** The processes of the server that a file of `deploy` starts. */
function processesIn(path: string): ServerProcess[] {
  if (path.endsWith('.service')) return [ofUnit(deployFile(path))];
  if (!/\.ya?ml$/.test(path)) return [];
  const { services = {}, spec } = parse(deployFile(path), { merge: true }) as {
    readonly services?: Compose['services'];
    readonly spec?: { readonly template?: { readonly spec: Pod } };
  };
  const pod = spec?.template?.spec;
  return [
    ...Object.values(services)
      .filter(({ image = '', build }) => isOurs(image) || build !== undefined)
      .map(ofService),
    ...(pod === undefined ? [] : ofPod(pod)),
  ];
}

function isOurs(image: string): boolean {
  return /(?:^|\/)animal-store(?:[:@]|$)/.test(image);
}

function ofUnit(text: string): ServerProcess {
  const values = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const variables = Object.fromEntries(values('Environment').map((each) => each.split('=', 2))) as object;
  const [memory, grace = ''] = [values('MemoryMax')[0], values('TimeoutStopSec')[0]];
  return { words: values('ExecStart').join().split(' '), variables: { ...variables }, memory, grace: `${grace}s` };
}

function ofService({
  command = [],
  environment = {},
  mem_limit: memory,
  stop_grace_period = '',
}: ComposeService): ServerProcess {
  return { words: command, variables: environment, memory, grace: stop_grace_period };
}

function ofPod({ containers, terminationGracePeriodSeconds }: Pod): ServerProcess[] {
  return containers
    .filter(({ image }) => isOurs(image))
    .map(({ args = [], env = [], lifecycle, resources }) => ({
      words: args,
      variables: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      memory: resources?.limits?.memory,
      grace: `${terminationGracePeriodSeconds}s`,
      pause: `${lifecycle?.preStop.sleep.seconds ?? 0}s`,
    }));
}

/** The most memory that clients can make a process take, in bytes. */
function mostMemory(maxConnections: number): number {
  const { bodyLimit, maxUnsent } = SERVER_DEFAULTS;
  return ALWAYS + maxUnsent + maxConnections * (bodyLimit + BY_CONNECTION);
}

/** The bytes of `512m`, `512Mi` or `512M`. */
function bytesOf(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)([A-Za-z]+)$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

const PROCESSES = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  processesIn(path).map((process) => ({ path, ...process })),
);

describe('the server that the files of deploy start', () => {
  it('is found in each kind of file', () => {
    expect(PROCESSES.map(({ path }) => path)).to.include.members([
      'compose/compose.yaml',
      'compose/compose.sqlite.yaml',
      'kubernetes/deployment.yaml',
      'kubernetes/sqlite/statefulset.yaml',
      'systemd/animal-store.service',
    ]);
  });

  for (const { path, words, variables, memory, grace, pause = '0' } of PROCESSES) {
    describe(`by ${path}`, () => {
      it('gets flags and variables that it knows', () => {
        const known = new Set([...FLAGS, ...VARIABLES.keys()]);
        const given = [...words.filter((word) => word.startsWith('--')), ...Object.keys(variables)];
        expect(
          given.filter((name) => !known.has(name)),
          `settings in deploy/${path}`,
        ).to.deep.equal([]);
      });

      it('has a limit on memory, with room for what clients can make it take', () => {
        const { MAX_CONNECTIONS = SERVER_DEFAULTS.maxConnections } = variables;
        expect(bytesOf(memory ?? ''), `the limit on memory of deploy/${path}`).to.be.above(
          mostMemory(Number(MAX_CONNECTIONS)),
        );
      });

      it('is given more time to end than its pause and its drain take', () => {
        const drain = millisecondsOf(variables['SHUTDOWN_TIMEOUT'] ?? String(SERVER_DEFAULTS.shutdownTimeout));
        expect(millisecondsOf(grace)).to.be.at.least(millisecondsOf(pause) + drain + AFTER_DRAIN_MS);
      });
    });
  }
});
