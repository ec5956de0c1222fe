import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCore } from '../cores.js';
import { headersOf } from '../scenarios.js';

const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('./head-client.js', import.meta.url));

/**
 * Sends `HEAD` requests, which wrk and autocannon cannot: they wait for a body.
 *
 * @type {typeof import('./wrk.js').loadWithWrk}
 */
export async function loadOfHeads(origin, { requests }, { seconds, connections, core }) {
  const { hostname, host, port } = new URL(origin);
  const texts = requests.map((request) => {
    const fields = Object.entries({ Host: host, ...headersOf(request) }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return `HEAD ${request.path} HTTP/1.1\r\n${fields.join('')}\r\n`;
  });
  const args = [CLIENT, hostname, port, String(connections), String(seconds), JSON.stringify(texts)];
  const { stdout } = await run(...onCore(core, process.execPath, args), { timeout: (seconds + 20) * 1000 });
  return JSON.parse(stdout);
}
