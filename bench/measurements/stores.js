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

/** What is started at once in the table of blocking, and how often. A batch of the adapter holds 256 creations. */
const BLOCKING = [
  { name: 'list-100', atOnce: 1, times: 1000 },
  { name: 'create', atOnce: 1, times: 1000 },
  { name: 'create', atOnce: 16, times: 300 },
  { name: 'create', atOnce: 256, times: 100 },
];

/** How many turns each store has for a second of the options: as many to warm up, and then as many that are measured. */
const TURNS_PER_SECOND = 10;

/**
 * What an operation costs both stores, and what it costs without them: user CPU time of the client's process. Both processes
 * take turns of some milliseconds, so that what changes on the machine meanwhile touches both alike. For SQLite, also how long
 * an operation blocks the event loop.
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
    const costs = markdownTable(
      head,
      STORES.flatMap((store, i) => rowsOf(store, rounds[i])),
    );
    return `${costs}

User CPU time of the client's process; ratios: median [least–greatest] of ${storeRounds} rounds of fresh processes, which take turns. Pages
begin at a thousand places of the list. MongoDB is a server of prepared replies, in a process of its own.${await blocking(storeRounds)}`;
  } finally {
    await server.stop();
  }
}

/** How long SQLite, which works in the thread of its caller, blocks the event loop; nothing if this Node does not have it. */
async function blocking(storeRounds) {
  const store = STORES.find(({ kind }) => kind === 'sqlite');
  if (store === undefined) return '';
  const sides = ['ours', 'bare'];
  const rounds = await inRounds(storeRounds, sides, (side) =>
    withServers([() => startScript([RUN, store.kind, side], SERVER_CORE)], async ([{ ask }]) => {
      const results = [];
      for (const { name, times, atOnce } of BLOCKING) {
        const answer = async () => JSON.parse(await ask(`${name} ${times} ${atOnce}`));
        await answer();
        results.push(await answer());
      }
      return results;
    }),
  );
  const millisecondsOf = (side, i, measure) =>
    median(rounds[side].map((results) => results[i][measure] / 1000)).toFixed(3);
  const rows = sides.map((side, index) => [
    store[side],
    ...BLOCKING.map((_, i) => `${millisecondsOf(index, i, 'median')}, ${millisecondsOf(index, i, 'p99')}`),
  ]);
  const head = BLOCKING.map(({ name, atOnce }) => (atOnce === 1 ? name : `${atOnce} × ${name} at once`));
  return `

${markdownTable(['the event loop is blocked for, ms', ...head], rows)}

The longest turn of the event loop until what was started together had ended: median, 99th percentile; medians of
${storeRounds} rounds. A creation waits for the disk of this machine.`;
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
