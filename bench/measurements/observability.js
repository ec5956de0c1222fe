import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_CORE } from '../cores.js';
import { animal, CLIENTS, keyOf } from '../animals.js';
import { GET, headersOf } from '../scenarios.js';
import { startServer, withServers } from '../server-process.js';
import { load } from '../servers/parts/animal-store.js';
import { median, medianAndSpread } from '../statistics.js';
import { openMongodbServer } from '../stores/open-mongodb-server.js';
import { markdownTable } from '../table.js';
import { costsInRounds } from './cost.js';
import { inRounds } from './rounds.js';

const NOTHING = { title: 'nothing of it', stderr: 'ignore', settings: { logLevel: 'silent' } };
const CONTROL = { ...NOTHING, title: 'nothing of it, another process' };
const LOG = { title: 'log at info, to /dev/null', stderr: 'ignore', settings: {} };
const CORS = {
  title: 'CORS for one origin',
  stderr: 'ignore',
  settings: { logLevel: 'silent', corsOrigins: ['https://a.example'] },
};
const RATE_LIMIT = {
  title: 'a rate limit that is never reached',
  stderr: 'ignore',
  settings: { logLevel: 'silent', rateLimit: { requests: 1e9, perMs: 1000 } },
};
const METRICS = { title: 'metrics', stderr: 'ignore', settings: { logLevel: 'silent', metricsPort: 0 } };
/** What is switched on, and where the log goes: `ignore` is /dev/null. The first one is what the others are compared with. */
const CASES = [
  NOTHING,
  CONTROL,
  LOG,
  { title: 'log at info, to a file', stderr: 'file', settings: {} },
  { title: 'log at info, to a pipe', stderr: 'pipe', settings: {} },
  CORS,
  RATE_LIMIT,
  METRICS,
  { title: 'log at info, to /dev/null, and metrics', stderr: 'ignore', settings: { metricsPort: 0 } },
];

/**
 * What the log, the metrics and the limits cost each request: CPU time of all threads, in user mode and in the kernel. On
 * MongoDB, `get` alone is measured.
 *
 * The load generator shares the core of the server. On a core of its own it would sleep whenever it has nothing to do, and
 * waking it is system CPU time of the server, which has nothing to do with what is measured.
 */
export async function measureObservability({ scenarios, ...given }) {
  const options = { ...given, core: SERVER_CORE };
  const server = await openMongodbServer();
  const database = await openDatabase(server.url);
  try {
    const inMemory = await tableOf(CASES, scenarios.length > 0 ? scenarios : [GET], costsInRounds, options);
    const cases = [NOTHING, CONTROL, LOG, CORS, RATE_LIMIT, METRICS].map((each) => onMongodb(each, database.url));
    const onDatabase = await tableOf(
      cases,
      [{ ...GET, requests: await requestsForNewAnimals(cases[0]) }],
      costsAlone,
      options,
    );
    return `On animals in memory:

${inMemory}

On MongoDB (${server.name}):

${onDatabase}

Added, ratio: user CPU time compared with the first row of the same round. Rounds: ${options.rounds}; median
[least–greatest]. The load generator ran on the core of the server.`;
  } finally {
    await database.drop();
    await server.stop();
  }
}

/** An empty database on a server. */
async function openDatabase(serverUrl) {
  const url = serverUrl.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, '$1/animal-store-bench');
  const { createMongoClient } = await load('animal-store/mongodb');
  const client = await createMongoClient(url).connect();
  await client.db().dropDatabase();
  return {
    url,
    async drop() {
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** As {@link costsInRounds}, but one server after another: several at once on a database disturb each other. */
async function costsAlone(starts, scenarios, { rounds, ...options }) {
  return inRounds(rounds, starts, async (start) => {
    const [[cost]] = await costsInRounds([start], scenarios, { ...options, rounds: 1 });
    return cost;
  });
}

async function tableOf(cases, scenarios, measure, options) {
  const costs = await measure(
    cases.map((each) => () => startObserved(each)),
    scenarios,
    options,
  );
  const rows = scenarios.flatMap(({ name }) =>
    cases.map(({ title }, i) => {
      const own = costs[i].map((round) => round[name]);
      const ratios = own.map(({ user }, round) => user / costs[0][round][name].user);
      const added = own.map(({ user }, round) => user - costs[0][round][name].user);
      return [
        name,
        title,
        median(own.map(({ user }) => user)).toFixed(1),
        i === 0 ? '' : medianAndSpread(added, 1),
        i === 0 ? '' : medianAndSpread(ratios),
        median(own.map(({ system }) => system)).toFixed(1),
      ];
    }),
  );
  return markdownTable(['request', 'with', 'user CPU, µs', 'added', 'ratio', 'system CPU, µs'], rows);
}

function onMongodb({ settings, ...rest }, mongodbUrl) {
  return { ...rest, settings: { ...settings, store: 'mongodb', mongodbUrl } };
}

/** Adds an animal for each client to the store of a case, and resolves to the requests for them. */
async function requestsForNewAnimals(each) {
  return withServers([() => startObserved(each)], async ([{ origin }]) => {
    const requests = [];
    for (let client = 0; client < CLIENTS; client++) {
      const addition = { method: 'POST', key: keyOf(client), body: JSON.stringify(animal(client + 1)) };
      const answer = await fetch(`${origin}/v1/pets`, { ...addition, headers: headersOf(addition) });
      if (answer.status !== 201) throw new Error(`no animal could be added: ${await answer.text()}`);
      requests.push({ method: 'GET', path: answer.headers.get('Location'), key: keyOf(client) });
    }
    return requests;
  });
}

/** Starts a server with what a case switches on. */
async function startObserved({ stderr, settings }) {
  const output = stderr === 'file' ? openFile() : { stderr, close: () => undefined };
  const env = { OBSERVED: JSON.stringify(settings) };
  const { stop, ...server } = await startServer('ours-observed', { env, stderr: output.stderr });
  return { ...server, stop: () => stop().finally(output.close) };
}

/** A file that is gone once it is closed. */
function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  const stderr = openSync(join(folder, 'log'), 'a');
  return {
    stderr,
    close() {
      closeSync(stderr);
      rmSync(folder, { recursive: true });
    },
  };
}
