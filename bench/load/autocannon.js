import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
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
  const args = ['--json', '--connections', String(connections), '--duration', String(seconds)];
  if (rate !== undefined) args.push('--overallRate', String(Math.round(rate)));
  args.push('--method', scenario.method);
  for (const [name, value] of Object.entries(headersOf(scenario))) args.push('--headers', `${name}=${value}`);
  if (scenario.body !== undefined) args.push('--body', scenario.body);
  const [command, all] = onCore(core, process.execPath, [AUTOCANNON, ...args, origin + scenario.path]);
  const { stdout } = await run(command, all, { timeout: (seconds + 20) * 1000, maxBuffer: 16 * 1024 * 1024 });
  const result = JSON.parse(stdout);
  if (result.errors > 0) throw new Error(`autocannon saw ${result.errors} errors`);
  const requests = result['2xx'] + result.non2xx;
  const { p50, p99 } = result.latency;
  return { requests, seconds: result.duration, failures: result.non2xx, p50: p50 * 1000, p99: p99 * 1000 };
}
