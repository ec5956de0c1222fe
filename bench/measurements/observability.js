import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCENARIOS } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { median, medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { costsInRounds } from './cost.js';

/** What is switched on, and where the log goes: `ignore` is /dev/null. The first one is what the others are compared with. */
const CASES = [
  { title: 'nothing of it', stderr: 'ignore', settings: { logLevel: 'silent' } },
  { title: 'nothing of it, another process', stderr: 'ignore', settings: { logLevel: 'silent' } },
  { title: 'log at info, to /dev/null', stderr: 'ignore', settings: {} },
  { title: 'log at info, to a file', stderr: 'file', settings: {} },
  { title: 'log at info, to a pipe', stderr: 'pipe', settings: {} },
  {
    title: 'CORS for one origin',
    stderr: 'ignore',
    settings: { logLevel: 'silent', corsOrigins: ['https://a.example'] },
  },
  {
    title: 'a rate limit that is never reached',
    stderr: 'ignore',
    settings: { logLevel: 'silent', rateLimit: { requests: 1e9, perMs: 1000 } },
  },
  { title: 'metrics', stderr: 'ignore', settings: { logLevel: 'silent', metricsPort: 0 } },
  { title: 'log at info, to /dev/null, and metrics', stderr: 'ignore', settings: { metricsPort: 0 } },
];

/** What the log, the metrics and the limits cost each request: CPU time of all threads, in user mode and in the kernel. */
export async function measureObservability({ scenarios, rounds, seconds, warmUpRequests }) {
  const measured = scenarios.length > 0 ? scenarios : SCENARIOS.filter(({ name }) => name === 'get');
  const starts = CASES.map((each) => () => startObserved(each));
  const costs = await costsInRounds(starts, measured, { rounds, seconds, warmUpRequests });
  const rows = measured.flatMap(({ name }) =>
    CASES.map(({ title }, i) => {
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
        median(own.map(({ perSecond }) => perSecond)).toFixed(0),
      ];
    }),
  );
  return `${markdownTable(['request', 'with', 'user CPU, µs', 'added', 'ratio', 'system CPU, µs', 'requests/s'], rows)}

Added, ratio: user CPU time compared with the first row of the same round. Rounds: ${rounds}; median [least–greatest].`;
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
