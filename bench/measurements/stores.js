import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { SERVER_CORE } from '../cores.js';
import { startScript, withServers } from '../server-process.js';
import { median, medianAndSpread } from '../statistics.js';
import { openPreparedMongodb } from '../stores/open-prepared-mongodb.js';
import { OPERATIONS } from '../stores/operations.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

const RUN = fileURLToPath(new URL('../stores/run.js', import.meta.url));

/** What is compared, and how often an operation runs before the other store has its turn. */
const STORES_IN_ALL = [
  { kind: 'memory', ours: 'InMemoryPetCatalogue', bare: 'arrays', times: 50_000 },
  { kind: 'sqlite', ours: 'SqlitePetCatalogue', bare: 'node:sqlite', times: 250 },
  { kind: 'mongodb', ours: 'MongoPetCatalogue', bare: "MongoDB's driver", times: 250 },
];

/** Node 20 has no `node:sqlite`. */
const STORES = STORES_IN_ALL.filter(
  ({ kind }) => kind !== 'sqlite' || process.getBuiltinModule('node:sqlite') !== undefined,
);

/** How many turns each store has for a second of the options: as many to warm up, and then as many that are measured. */
const TURNS_PER_SECOND = 10;

/**
 * What an operation costs both stores, and what it costs without them: user CPU time of the client's process. Both processes
 * take turns of some milliseconds, so that what changes on the machine meanwhile touches both alike.
 */
export async function measureStores({ storeRounds, seconds }) {
  const server = await openPreparedMongodb();
  const turns = seconds * TURNS_PER_SECOND;
  try {
    const rounds = await inRounds(storeRounds, STORES, ({ kind, times }) => {
      const start = (side) => () => startScript([RUN, kind, side], SERVER_CORE, { MONGODB_URL: server.url });
      return withServers(['ours', 'bare'].map(start), async (processes) => costsOf(processes, times, turns));
    });
    const head = ['store', 'user CPU per operation, µs', ...OPERATIONS.map(({ name }) => name)];
    return `${markdownTable(
      head,
      STORES.flatMap((store, i) => rowsOf(store, rounds[i])),
    )}

User CPU time of the client's process; ratios: median [least–greatest] of ${storeRounds} rounds of fresh processes, which take turns. Pages
begin at a thousand places of the list. MongoDB is a server of prepared replies, in a process of its own.`;
  } finally {
    await server.stop();
  }
}

/** What each operation costs our store and the bare one. */
async function costsOf(processes, times, turns) {
  const costs = {};
  for (const { name } of OPERATIONS) {
    const ask = async ({ ask }) => Number(await ask(`${name} ${times}`));
    const warm = await inRounds(turns, processes, ask);
    const measured = await inRounds(turns, processes, ask);
    const [ours, bare] = measured.map((used, i) => (used.at(-1) - warm[i].at(-1)) / (turns * times));
    costs[name] = { ours, bare };
  }
  return costs;
}

function rowsOf(store, rounds) {
  const cells = (format) => OPERATIONS.map(({ name }) => format(rounds.map((costs) => costs[name])));
  const medianOf = (side) => (costs) => median(costs.map((cost) => cost[side])).toFixed(2);
  return [
    [store.ours, 'ours', ...cells(medianOf('ours'))],
    [store.bare, 'bare', ...cells(medianOf('bare'))],
    ['', 'ours ÷ bare', ...cells((costs) => medianAndSpread(costs.map(({ ours, bare }) => ours / bare)))],
  ];
}
