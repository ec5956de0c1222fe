import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { onCore } from '../cores.js';
import { headersOf } from '../scenarios.js';

const run = promisify(execFile);
const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon/autocannon.js');

/**
 * Sends requests with autocannon, for machines without wrk: it needs more CPU time than most servers here, so throughput
 * and latency say less then.
 *
 * @type {typeof import('./wrk.js').loadWithWrk}
 */
export async function loadWithAutocannon(origin, scenario, { seconds, connections, rate, core }) {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'));
  try {
    const har = join(folder, 'requests.har');
    await writeFile(har, JSON.stringify(harOf(origin, scenario)));
    const args = ['--json', '--connections', String(connections), '--duration', String(seconds), '--har', har];
    if (rate !== undefined) args.push('--overallRate', String(Math.round(rate)));
    const [command, all] = onCore(core, process.execPath, [AUTOCANNON, ...args, origin]);
    const { stdout } = await run(command, all, { timeout: (seconds + 20) * 1000, maxBuffer: 16 * 1024 * 1024 });
    return loadOf(JSON.parse(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The requests of a scenario as an HTTP Archive. */
function harOf(origin, { requests }) {
  const entries = requests.map((request) => {
    const { method, path, body } = request;
    const headers = Object.entries(headersOf(request)).map(([name, value]) => ({ name, value }));
    return {
      request: { method, url: origin + path, headers, ...(body !== undefined && { postData: { text: body } }) },
    };
  });
  return { log: { entries } };
}

function loadOf(result) {
  if (result.errors > 0) throw new Error(`autocannon saw ${result.errors} errors`);
  const requests = result['2xx'] + result.non2xx;
  const { p50, p99 } = result.latency;
  return { requests, seconds: result.duration, failures: result.non2xx, p50: p50 * 1000, p99: p99 * 1000 };
}
