import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ANIMALS, ANIMALS_ON_DATABASES } from './animals.js';
import { openMongodb } from './mongodb.js';
import { openPostgres } from './postgres.js';
import { measureTransfer } from './transfer.js';
import { measureRequests } from './requests.js';
import { COLUMNS, scenariosFor } from './scenarios.js';
import { subjectsInMemory, subjectsOnMongodb, subjectsOnPostgres } from './subjects.js';

const USAGE = `Usage: npm run bench -- [options]

Prints tables in Markdown. Needs Linux. "mongodb" and "transfer" need a MongoDB server: that of MONGODB_TEST_URL, or one
that the tests can start; "postgres" likewise that of POSTGRES_TEST_URL. "transfer" measures SQLite on Node.js 22.13 or newer.

  --only PART      one part alone; may be given more than once: requests, mongodb, postgres, transfer
  --column NAME    one column of requests, mongodb and postgres alone; may be given more than once:
                   ${COLUMNS.join(', ')}
  --base DIR       another checkout, built by npm run build, as a further server of requests, mongodb and postgres
  --rounds NUMBER  how many rounds of fresh processes, from 1 to 100 (default 8)
  --count NUMBER   how many animals transfer moves, from 1000 to 1000000 (default 100000)
  --quick          one short round of each: a first look, in about three minutes
  --help           show this
`;

const PARTS = {
  requests: {
    title: 'Requests, animals in memory',
    measure: ({ base, columns, ...options }) =>
      measureRequests(subjectsInMemory(base), chosen(scenariosFor(ANIMALS), columns), options),
  },
  mongodb: {
    title: 'Requests, on MongoDB',
    measure: ({ base, columns, mongodbUrl, ...options }) =>
      measureRequests(
        subjectsOnMongodb(mongodbUrl, base),
        chosen(scenariosFor(ANIMALS_ON_DATABASES), columns),
        options,
      ),
  },
  postgres: {
    title: 'Requests, on PostgreSQL',
    async measure({ base, columns, ...options }) {
      const { url, stop } = await openPostgres();
      try {
        const scenarios = chosen(scenariosFor(ANIMALS_ON_DATABASES), columns);
        return await measureRequests(subjectsOnPostgres(url, base), scenarios, { ...options, showsRates: true });
      } finally {
        await stop();
      }
    },
  },
  transfer: { title: 'Moving animals', measure: measureTransfer },
};

/** The parts that need a MongoDB server. */
const ON_MONGODB = ['mongodb', 'transfer'];

/**
 * Reads the command line.
 *
 * @throws TypeError for an unknown option, name or folder, or an invalid number.
 */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
      column: { type: 'string', multiple: true, default: COLUMNS },
      base: { type: 'string' },
      rounds: { type: 'string', default: '8' },
      count: { type: 'string', default: '100000' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, column, base, quick, help } = values;
  refuseUnknown('--only', only, Object.keys(PARTS));
  refuseUnknown('--column', column, COLUMNS);
  if (base !== undefined && !existsSync(`${base}/dist/src/bootstrap/cli.js`)) {
    throw new TypeError(`--base ${base}: must be a checkout that npm run build has built`);
  }
  return {
    help,
    parts: only,
    columns: column,
    base: base && resolve(base),
    rounds: quick ? 1 : integer('--rounds', values.rounds, 1, 100),
    turns: quick ? 1 : 3,
    warmUp: quick ? 10_000 : 20_000,
    count: quick ? 10_000 : integer('--count', values.count, 1000, 1_000_000),
  };
}

function chosen(scenarios, columns) {
  return scenarios.filter(({ name }) => columns.includes(name));
}

function refuseUnknown(option, names, all) {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new TypeError(`${option} ${unknown}: must be one of ${all.join(', ')}`);
}

function integer(option, text, minimum, maximum) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number;
  throw new TypeError(`${option} ${text}: must be an integer from ${minimum} to ${maximum}`);
}

async function run({ parts, ...options }) {
  const [{ model }] = cpus();
  console.log(`Node.js ${process.version} on ${cpus().length} × ${model.trim()}.\n`);
  const server = parts.some((part) => ON_MONGODB.includes(part)) ? await openMongodb() : undefined;
  try {
    if (server !== undefined) console.log(`MongoDB is ${server.name}.\n`);
    for (const part of parts) {
      const { title, measure } = PARTS[part];
      console.log(`## ${title}\n\n${await measure({ ...options, mongodbUrl: server?.url })}\n`);
    }
  } finally {
    await server?.stop();
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof TypeError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 1;
}
