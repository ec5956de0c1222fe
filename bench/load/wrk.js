import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onCore } from '../cores.js';
import { headersOf } from '../scenarios.js';

const run = promisify(execFile);

/** Prints what was seen, to be read by this file. Latencies are in microseconds. */
const REPORT = `
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration, errors.status,
    latency:percentile(50), latency:percentile(99)))
  io.write(string.format('ERRORS %d\\n', errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/**
 * Sends requests with wrk: one thread, a number of connections, the next request as soon as an answer has come. With a
 * `rate`, each connection waits a random time before each request, so that about that many are sent in a second. `core`: where
 * it runs.
 *
 * @param {string} origin
 * @param {import('../scenarios.js').Scenario} scenario
 * @param {{ seconds: number, connections: number, rate?: number, core: number }} options
 * @returns {Promise<import('./load-generator.js').Load>}
 */
export async function loadWithWrk(origin, scenario, { seconds, connections, rate, core }) {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-bench-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(
      script,
      requestsScript(scenario) + (rate === undefined ? '' : delayScript(connections, rate)) + REPORT,
    );
    const args = [
      '--threads',
      '1',
      '--timeout',
      '30s',
      '--connections',
      String(connections),
      '--duration',
      `${seconds}s`,
    ];
    const [command, all] = onCore(core, 'wrk', [...args, '--script', script, origin]);
    const { stdout } = await run(command, all, { timeout: (seconds + 20) * 1000 });
    return parse(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the requests before the first one is sent, so that sending them costs wrk little. */
function requestsScript({ requests }) {
  const calls = requests.map((request) => {
    const fields = Object.entries(headersOf(request)).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`);
    const body = request.body === undefined ? 'nil' : quoted(request.body);
    return `  add(${quoted(request.method)}, ${quoted(request.path)}, {${fields.join(', ')}}, ${body})\n`;
  });
  return `
local requests, latest = {}, 0
local function add(...) requests[#requests + 1] = wrk.format(...) end
function init()
${calls.join('')}end
function request()
  latest = latest % #requests + 1
  return requests[latest]
end
`;
}

/** A text on one line as Lua writes it. */
function quoted(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** wrk waits whole milliseconds, so each wait is rounded up or down at random. */
function delayScript(connections, rate) {
  const mean = (connections / rate) * 1000;
  return `function delay() return math.floor(math.random() * ${2 * mean} + math.random()) end\n`;
}

function parse(stdout) {
  const [, requests, microseconds, failures, p50, p99] =
    /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout)?.map(Number) ?? [];
  const errors = Number(/^ERRORS (\d+)$/m.exec(stdout)?.[1]);
  if (requests === undefined || errors > 0) throw new Error(`wrk did not run to its end without errors:\n${stdout}`);
  return { requests, seconds: microseconds / 1e6, failures, p50, p99 };
}
