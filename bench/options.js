import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';
import { OURS, SUBJECTS } from './subjects.js';

/** The measurements beside the table of requests. */
const OTHER_PARTS = [
  'start',
  'memory',
  'latency',
  'growth',
  'files',
  'observability',
  'stores',
  'move',
  'production',
  'distance',
];

const ONLY = [...SCENARIOS.map(({ name }) => name), ...OTHER_PARTS];

export const USAGE = `Usage: npm run bench -- [flags]

  --quick          one short round of each: a first look, in about five minutes
  --only NAME      a request or a part alone; may be given more than once:
                   ${ONLY.join(', ')}
  --server NAME    this server alone, beside Animal Store; may be given more than once:
                   ${SUBJECTS.map(({ name }) => name).join(', ')}
  --rounds NUMBER  how many rounds of fresh processes (default 5)
  --count NUMBER   how many animals "move" moves (default 100000)
  --help           show this
`;

const FULL = { rounds: 5, startRounds: 5, growthRounds: 3, storeRounds: 3, seconds: 4, warmUpRequests: 30_000 };
const QUICK = { rounds: 1, startRounds: 1, growthRounds: 1, storeRounds: 1, seconds: 1, warmUpRequests: 10_000 };

/**
 * Reads the command line.
 *
 * @throws TypeError for an unknown flag, name or number.
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      server: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      count: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = known('--only', values.only, ONLY);
  const servers = known(
    '--server',
    values.server,
    SUBJECTS.map(({ name }) => name),
  );
  const wanted = (name) => only.length === 0 || only.includes(name);
  return {
    ...(values.quick ? QUICK : FULL),
    ...(values.rounds !== undefined && roundsOf(values.rounds)),
    count: countOf(values.count),
    help: values.help,
    scenarios: SCENARIOS.filter(({ name }) => wanted(name)),
    parts: OTHER_PARTS.filter(wanted),
    subjects: SUBJECTS.filter((subject) => servers.length === 0 || subject === OURS || servers.includes(subject.name)),
  };
}

function known(flag, names, all) {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new TypeError(`${flag} ${unknown}: must be one of ${all.join(', ')}`);
  return names;
}

function countOf(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 10_000 || count > 10_000_000) {
    throw new TypeError('--count must be an integer from 10000 to 10000000');
  }
  return count;
}

function roundsOf(text) {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
    throw new TypeError('--rounds must be an integer from 1 to 100');
  }
  return { rounds, startRounds: rounds, growthRounds: rounds, storeRounds: rounds };
}
