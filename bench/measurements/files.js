import { startServer, withServers } from '../server-process.js';
import { median, medianAndSpread } from '../statistics.js';
import { OURS } from '../subjects.js';
import { markdownTable } from '../table.js';
import { costsInRounds } from './cost.js';

/** Answers of megabytes leave no time for the 30,000 of other measurements. */
const WARM_UP_REQUESTS = 2000;

/** Which server has which files, each asked for by GET and by HEAD. The reference page names the files that it loads. */
const CASES = [
  { server: OURS.name, paths: ['/docs', '/openapi.json'], page: '/docs' },
  { server: 'ours-metrics', paths: ['/metrics'] },
];

/**
 * What the files of the reference page and the metrics cost, which need no key: CPU time, and how much of it a bare server
 * needs that holds the same answers.
 */
export async function measureFiles({ rounds, seconds }) {
  const rows = [];
  for (const { server, paths: own, page } of CASES) {
    await withServers([() => startServer(server)], async ([{ origin }]) => {
      const paths = [...own, ...(page === undefined ? [] : await filesOf(origin + page))];
      const scenarios = paths.flatMap((path) =>
        ['GET', 'HEAD'].map((method) => ({ name: `${method} ${path}`, requests: [{ method, path }], status: 200 })),
      );
      const copy = () => startServer('copy', { env: { COPIED: JSON.stringify({ origin, paths }) } });
      const options = { rounds, seconds, warmUpRequests: WARM_UP_REQUESTS };
      const [costs, bare] = await costsInRounds([() => startServer(server), copy], scenarios, options);
      for (const { name } of scenarios) rows.push([name, ...cellsOf(costs, bare, name)]);
    });
  }
  const head = ['', 'user CPU, µs', 'all CPU, µs', 'user CPU / bare', 'all CPU / bare'];
  return (
    `${markdownTable(head, rows)}

Bare: ` +
    '`node:http`' +
    ` with the same header fields and a Buffer. Rounds: ${rounds}; median [least–greatest].`
  );
}

/** The paths of the files that a page loads. Their names change with their bytes. */
async function filesOf(page) {
  const html = await (await fetch(page)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => new URL(link, page).pathname);
}

function cellsOf(own, bare, name) {
  const user = (round) => round[name].user;
  const all = (round) => round[name].user + round[name].system;
  const ratios = (of) => medianAndSpread(own.map((round, i) => of(round) / of(bare[i])));
  return [median(own.map(user)).toFixed(1), median(own.map(all)).toFixed(1), ratios(user), ratios(all)];
}
