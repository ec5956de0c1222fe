import { performance } from 'node:perf_hooks';
import { firstPages, headersOf } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

/** From the start of a process to its first answer, with an empty catalogue. */
export async function measureStart({ subjects, startRounds }) {
  const [request] = firstPages();
  const times = await inRounds(startRounds, subjects, async ({ name }) => {
    const begun = performance.now();
    const server = await startServer(name, { animals: 0, clients: 1 });
    try {
      const response = await fetch(server.origin + request.path, { headers: headersOf(request) });
      await response.text();
      if (!response.ok) throw new Error(`${name} answered ${response.status}`);
      return performance.now() - begun;
    } finally {
      await server.stop();
    }
  });
  const rows = subjects.map(({ title }, i) => [title, medianAndSpread(times[i], 0)]);
  return markdownTable(['server', 'start to first answer, ms'], rows);
}
