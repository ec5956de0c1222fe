import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCore } from '../cores.js';
import { headersOf } from '../scenarios.js';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('./node-client.js', import.meta.url));

/**
 * Sends requests by Node's own client, for `HEAD`: after the answer to one, wrk and autocannon wait for a body.
 *
 * @type {typeof import('./wrk.js').loadWithWrk}
 */
export async function loadWithNode(origin, { requests }, { seconds, connections, core }) {
  const all = requests.map((request) => ({ method: request.method, path: request.path, headers: headersOf(request) }));
  const args = [CLIENT, origin, String(connections), String(seconds), JSON.stringify(all)];
  const { stdout } = await run(...onCore(core, process.execPath, args), { timeout: (seconds + 20) * 1000 });
  return JSON.parse(stdout);
}
