import { ANIMALS, KEY } from '../animals.js';
import { SCENARIOS } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { OURS } from '../subjects.js';
import { markdownTable } from '../table.js';
import { CONNECTIONS, costOf } from './cost.js';
import { inRounds } from './rounds.js';

const [LIST] = SCENARIOS;

/** A list of Animal Store, with one thing changed at a time. */
const CASES = [
  ...[1e3, 1e4, 1e5, 1e6].flatMap((animals) => [
    { what: 'animals', value: `${animals}, first page`, animals },
    { what: 'animals', value: `${animals}, middle page`, animals, query: `?after=${animals / 2}` },
  ]),
  ...[1, 10, 20, 50, 100].map((limit) => ({ what: 'page size', value: limit, query: `?limit=${limit}` })),
  ...[1, 16, 64, 256].map((connections) => ({ what: 'clients', value: connections, connections })),
  ...[1, 10, 100, 1000].map((keys) => ({ what: 'API keys', value: keys, keys })),
];

/** How the cost of a list grows with animals, page size, clients, and API keys. */
export async function measureGrowth({ growthRounds, seconds, warmUpRequests }) {
  const costs = await inRounds(
    growthRounds,
    CASES,
    async ({ animals = ANIMALS, keys = 1, query = '', connections }) => {
      const server = await startServer(OURS.name, { animals, keys });
      try {
        const scenario = { ...LIST, path: LIST.path + query, key: KEY };
        return await costOf(server, scenario, { seconds, warmUpRequests, connections: connections ?? CONNECTIONS });
      } finally {
        await server.stop();
      }
    },
  );
  const rows = CASES.map(({ what, value }, i) => [
    what,
    value,
    medianAndSpread(
      costs[i].map(({ user }) => user),
      1,
    ),
    medianAndSpread(
      costs[i].map(({ system }) => system),
      1,
    ),
    medianAndSpread(
      costs[i].map(({ perSecond }) => perSecond),
      0,
    ),
  ]);
  return markdownTable([`${OURS.title}, a list`, '', 'user CPU, µs', 'system CPU, µs', 'requests/s'], rows);
}
