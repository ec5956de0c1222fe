import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UNSENT_MAX_BYTES } from '../../src/adapters/http/pipeline/limits.js';
import { SERVER_DEFAULTS } from '../../src/bootstrap/settings.js';
import { ROOT } from '../support/child.js';
import { deployYaml, FLAGS, millisecondsOf, unitSettings, VARIABLES } from './known-settings.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** What the process takes without load, and for requests that wait and garbage: docs/security.md, "Memory". */
const ALWAYS = (128 + 128) * MIB;
/** What a connection takes besides a body. */
const BY_CONNECTION = 11 * KIB;
/** How much longer than its drain a process may take to end, in milliseconds. */
const AFTER_DRAIN_MS = 5000;

/** What a file of `deploy` says of one process of the server. */
interface ServerProcess {
  /** Its arguments, or the words of the command with them. */
  readonly words: readonly string[];
  /** The variables that the file gives it, with their values, if they are there. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Its limit on memory. */
  readonly memory: string;
  /** How many seconds it may take to end, and how many of them pass before it gets the signal. */
  readonly grace: number;
  readonly pause?: number;
}

/** The process of the server that a file of `deploy` starts, if it starts one. */
function processIn(path: string): ServerProcess | undefined {
  if (path.endsWith('.service')) return ofUnit();
  if (!/^(?:compose|kubernetes)\/.*\.yaml$/.test(path)) return undefined;
  const { services, spec } = deployYaml(path);
  if (services !== undefined) return ofService(services['animal-store']);
  return spec?.template === undefined ? undefined : ofPod(spec.template.spec);
}

function ofUnit(): ServerProcess {
  return {
    words: unitSettings('ExecStart').join().split(' '),
    variables: Object.fromEntries(unitSettings('Environment').map((each) => each.split('=', 2))),
    memory: unitSettings('MemoryMax').join(),
    grace: Number(unitSettings('TimeoutStopSec')),
  };
}

function ofService({ command = [], environment = {}, mem_limit, stop_grace_period }: ReturnType<typeof deployYaml>) {
  return {
    words: command,
    variables: environment,
    memory: mem_limit,
    grace: millisecondsOf(String(stop_grace_period)) / 1000,
  };
}

function ofPod({ containers: [container], terminationGracePeriodSeconds }: ReturnType<typeof deployYaml>) {
  const { args = [], env = [], lifecycle, resources } = container;
  const named = env as readonly { readonly name: string; readonly value?: string }[];
  return {
    words: args,
    variables: Object.fromEntries(named.map(({ name, value }) => [name, value])),
    memory: resources?.limits?.memory,
    grace: terminationGracePeriodSeconds,
    pause: lifecycle?.preStop.sleep.seconds,
  };
}

/** The most memory that clients can make a process take, in bytes. */
function mostMemory(maxConnections: number): number {
  return ALWAYS + UNSENT_MAX_BYTES + maxConnections * (SERVER_DEFAULTS.bodyLimit + BY_CONNECTION);
}

/** The bytes of `512m`, `512Mi` or `512M`, which are MiB or less. */
function bytesOf(memory: string): number {
  return Number(/^(\d+)(?:m|Mi|M)$/.exec(memory)?.[1]) * MIB;
}

const PROCESSES = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
  const process = processIn(path);
  return process === undefined ? [] : [{ path, ...process }];
});

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

  for (const { path, words, variables, memory, grace, pause = 0 } of PROCESSES) {
    it(`gets flags and variables that it knows by ${path}`, () => {
      const given = [...words.filter((word) => word.startsWith('--')), ...Object.keys(variables)];
      expect([...FLAGS, ...VARIABLES.keys()], `settings in deploy/${path}`).to.include.members(given);
    });

    it(`has a limit on memory, with room for what clients can make it take, by ${path}`, () => {
      const { MAX_CONNECTIONS = SERVER_DEFAULTS.maxConnections } = variables;
      const place = `the limit on memory of deploy/${path}`;
      expect(bytesOf(memory), place).to.be.above(mostMemory(Number(MAX_CONNECTIONS)));
    });

    it(`is given more time to end than its pause and its drain take by ${path}`, () => {
      const drain = millisecondsOf(variables['SHUTDOWN_TIMEOUT'] ?? String(SERVER_DEFAULTS.shutdownTimeout));
      expect(grace * 1000).to.be.at.least(pause * 1000 + drain + AFTER_DRAIN_MS);
    });
  }
});
