import { firstPages, LIST, pages } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { OURS } from '../subjects.js';
import { markdownTable } from '../table.js';
import { CONNECTIONS, costOf } from './cost.js';
import { inRounds } from './rounds.js';

/** A list of Animal Store, with one thing changed at a time. */
const CASES = [
  ...[1e3, 1e4, 1e5, 1e6].flatMap((animals) => [
    { what: 'animals', value: `${animals}, first page`, animals, requests: firstPages() },
    { what: 'animals', value: `${animals}, any page`, animals, requests: pages({ animals }) },
  ]),
  ...[1, 10, 20, 50, 100].map((limit) => ({ what: 'page size', value: limit, requests: pages({ limit }) })),
  ...[1, 16, 64, 256].map((connections) => ({ what: 'connections', value: connections, connections })),
  ...[1, 10, 100, 1000].map((clients) => ({
    what: 'API keys',
    value: clients,
    clients,
    requests: pages({ clients }),
  })),
];

/** How the cost of a list grows with animals, page size, clients, and API keys. */
export async function measureGrowth({ growthRounds, seconds, warmUpRequests }) {
  const costs = await inRounds(
    growthRounds,
    CASES,
    async ({ animals, clients, requests = LIST.requests, connections = CONNECTIONS }) => {
      const server = await startServer(OURS.name, { animals, clients });
      try {
        return await costOf(server, { ...LIST, requests }, { seconds, warmUpRequests, connections });
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
