import { expect } from 'chai';
import { UNSENT_MAX_BYTES } from '../../src/adapters/http/pipeline/limits.js';
import { SERVER_DEFAULTS } from '../../src/bootstrap/settings/settings.js';
import { deployYaml, FLAGS, millisecondsOf, unitSettings, VARIABLES } from './known-settings.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** What the process takes without load, and for requests that wait and garbage: docs/security.md, "Memory". */
const ALWAYS = (128 + 128) * MIB;
/** What a connection takes besides a body. */
const BY_CONNECTION = 11 * KIB;
/** How much longer than its drain a process may take to end, in milliseconds. */
const AFTER_DRAIN_MS = 5000;

/** What a file of `deploy` says of the process of the server. */
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

function ofUnit(): ServerProcess {
  return {
    words: unitSettings('ExecStart').join().split(' '),
    variables: Object.fromEntries(unitSettings('Environment').map((each) => each.split('=', 2))),
    memory: unitSettings('MemoryMax').join(),
    grace: Number(unitSettings('TimeoutStopSec')),
  };
}

function ofCompose(path: string): ServerProcess {
  const { command = [], environment, mem_limit, stop_grace_period } = deployYaml(path).services['animal-store'];
  return {
    words: command,
    variables: environment,
    memory: mem_limit,
    grace: millisecondsOf(String(stop_grace_period)) / 1000,
  };
}

function ofKubernetes(path: string): ServerProcess {
  const { containers, terminationGracePeriodSeconds } = deployYaml(path).spec.template.spec;
  const [{ args, env, lifecycle, resources }] = containers;
  const named = env as readonly { readonly name: string; readonly value?: string }[];
  return {
    words: args,
    variables: Object.fromEntries(named.map(({ name, value }) => [name, value])),
    memory: resources.limits.memory,
    grace: terminationGracePeriodSeconds,
    pause: lifecycle?.preStop.sleep.seconds,
  };
}

/** The bytes of `512m`, `512Mi` or `512M`, which are MiB or less. */
function bytesOf(memory: string): number {
  return Number(/^(\d+)(?:m|Mi|M)$/.exec(memory)?.[1]) * MIB;
}

describe('the server that a file of deploy starts', () => {
  for (const [path, process] of Object.entries({
    'systemd/animal-store.service': ofUnit(),
    'compose/compose.yaml': ofCompose('compose/compose.yaml'),
    'compose/compose.sqlite.yaml': ofCompose('compose/compose.sqlite.yaml'),
    'kubernetes/deployment.yaml': ofKubernetes('kubernetes/deployment.yaml'),
    'kubernetes/sqlite/statefulset.yaml': ofKubernetes('kubernetes/sqlite/statefulset.yaml'),
  })) {
    const { words, variables, memory, grace, pause = 0 } = process;

    it(`gets flags and variables that it knows, memory for what clients can make it take, and time to drain: ${path}`, () => {
      const given = [...words.filter((word) => word.startsWith('--')), ...Object.keys(variables)];
      expect([...FLAGS, ...VARIABLES.keys()]).to.include.members(given);

      const connections = Number(variables['MAX_CONNECTIONS'] ?? SERVER_DEFAULTS.maxConnections);
      const most = ALWAYS + UNSENT_MAX_BYTES + connections * (SERVER_DEFAULTS.bodyLimit + BY_CONNECTION);
      expect(bytesOf(memory)).to.be.above(most);

      const drain = millisecondsOf(variables['SHUTDOWN_TIMEOUT'] ?? String(SERVER_DEFAULTS.shutdownTimeout));
      expect(grace * 1000).to.be.at.least(pause * 1000 + drain + AFTER_DRAIN_MS);
    });
  }
});
