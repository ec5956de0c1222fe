import { fileURLToPath } from 'node:url';
import { SERVER_CORE } from '../cores.js';
import { startScript } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { openDistantMongodbServer } from '../stores/open-mongodb-server.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

const RUN = fileURLToPath(new URL('../stores/run-distant.js', import.meta.url));
const CLIENTS = 64;
const ROUND_TRIP_MS = 50;

/** How many animals a second 64 clients create on a MongoDB server that is 50 ms away, by our store and by the driver. */
export async function measureDistance({ storeRounds, seconds }) {
  const server = await openDistantMongodbServer(ROUND_TRIP_MS);
  try {
    const [ours, bare] = await inRounds(storeRounds, ['ours', 'bare'], async (side) => {
      const env = { MONGODB_URL: server.url };
      const { line, stop } = await startScript([RUN, side, String(CLIENTS), String(seconds)], SERVER_CORE, env);
      await stop();
      return JSON.parse(line);
    });
    const spans = ['first', 'then'];
    const cells = (of, digits) => spans.map((span) => medianAndSpread(of(span), digits));
    const ratesOf = (rates) => cells((span) => rates.map((round) => round[span]), 0);
    const ratios = cells((span) => ours.map((round, i) => round[span] / bare[i][span]));
    const table = markdownTable(
      ['animals created a second', `first ${seconds} s of a process`, `next ${seconds} s`],
      [
        ['MongoPetCatalogue', ...ratesOf(ours)],
        ["MongoDB's driver", ...ratesOf(bare)],
        ['ours ÷ bare', ...ratios],
      ],
    );
    const most = (CLIENTS * 1000) / ROUND_TRIP_MS;
    return `${table}\n\n${CLIENTS} clients, ${ROUND_TRIP_MS} ms for a round trip, so at most ${most} a second. MongoDB: ${server.name}.`;
  } finally {
    await server.stop();
  }
}
