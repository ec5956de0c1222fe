import { fileURLToPath } from 'node:url';
import { SERVER_CORE } from '../cores.js';
import { startScript } from '../server-process.js';
import { median, medianAndSpread } from '../statistics.js';
import { openMongodbServer } from '../stores/open-mongodb-server.js';
import { OPERATIONS } from '../stores/operations.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

const RUN = fileURLToPath(new URL('../stores/run.js', import.meta.url));
const TIMEOUT_MS = 120_000;

const STORES = [
  { kind: 'memory', ours: 'InMemoryPetCatalogue', bare: 'arrays' },
  { kind: 'mongodb', ours: 'MongoPetCatalogue', bare: "MongoDB's driver" },
];

/** What an operation costs both stores, and what it costs without them. */
export async function measureStores({ storeRounds, seconds }) {
  const server = await openMongodbServer();
  try {
    const env = { MONGODB_URL: server.url };
    const runs = STORES.flatMap(({ kind }) => [
      { kind, side: 'ours' },
      { kind, side: 'bare' },
    ]);
    const costs = await inRounds(storeRounds, runs, async ({ kind, side }) => {
      const script = await startScript([RUN, kind, side, String(seconds)], SERVER_CORE, env, TIMEOUT_MS);
      await script.stop();
      return JSON.parse(script.line);
    });
    const rows = STORES.flatMap((store, i) => rowsOf(store, costs[2 * i], costs[2 * i + 1]));
    const head = ['store', 'CPU per operation, µs', ...OPERATIONS.map(({ name }) => name)];
    return `${markdownTable(head, rows)}\n\nUser and system CPU time of the client's process. MongoDB: ${server.name}.`;
  } finally {
    await server.stop();
  }
}

function rowsOf(store, ours, bare) {
  const total = (cost) => cost.user + cost.system;
  const cells = (format) => OPERATIONS.map(({ name }) => format(name));
  const medianOf = (costs) => (name) => median(costs.map((round) => total(round[name]))).toFixed(2);
  return [
    [store.ours, 'ours', ...cells(medianOf(ours))],
    [store.bare, 'bare', ...cells(medianOf(bare))],
    [
      '',
      'ours ÷ bare',
      ...cells((name) => medianAndSpread(ours.map((round, i) => total(round[name]) / total(bare[i][name])))),
    ],
  ];
}
