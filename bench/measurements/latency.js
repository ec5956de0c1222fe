import { sendLoad } from '../load/load-generator.js';
import { LIST } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { CONNECTIONS, warmUp } from './cost.js';
import { inRounds } from './rounds.js';

/** How long a client waits for a list if each server gets half of the requests that it can answer. */
export async function measureLatency({ subjects, rounds, seconds, warmUpRequests }) {
  const latencies = await inRounds(rounds, subjects, async ({ name }) => {
    const server = await startServer(name);
    try {
      await warmUp(server, LIST, { warmUpRequests });
      const full = await sendLoad(server.origin, LIST, { seconds, connections: CONNECTIONS });
      const rate = full.requests / full.seconds / 2;
      const half = await sendLoad(server.origin, LIST, { seconds, connections: CONNECTIONS, rate });
      return { rate: half.requests / half.seconds, p50: half.p50 / 1000, p99: half.p99 / 1000 };
    } finally {
      await server.stop();
    }
  });
  const rows = subjects.map(({ title }, i) => [
    title,
    medianAndSpread(
      latencies[i].map(({ rate }) => rate),
      0,
    ),
    medianAndSpread(latencies[i].map(({ p50 }) => p50)),
    medianAndSpread(latencies[i].map(({ p99 }) => p99)),
  ]);
  return markdownTable([`server, ${LIST.name}`, 'requests/s', 'p50, ms', 'p99, ms'], rows);
}
