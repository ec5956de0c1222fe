import { cpus } from 'node:os';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { compareAnswers } from './compare-answers.js';
import { CAN_PIN } from './cores.js';
import { LOAD_GENERATOR } from './load/load-generator.js';
import { measureDistance } from './measurements/distance.js';
import { measureFiles } from './measurements/files.js';
import { measureGrowth } from './measurements/growth.js';
import { measureLatency } from './measurements/latency.js';
import { measureMemory } from './measurements/memory.js';
import { measureMove } from './measurements/move.js';
import { measureObservability } from './measurements/observability.js';
import { measureProduction } from './measurements/production.js';
import { measureRequests } from './measurements/requests.js';
import { measureStart } from './measurements/start.js';
import { measureStores } from './measurements/stores.js';
import { readOptions, USAGE } from './options.js';
import { DIFFERENCES } from './subjects.js';

const PARTS = {
  start: { title: 'Start', measure: measureStart },
  memory: { title: 'Memory', measure: measureMemory },
  latency: { title: 'Latency at half load', measure: measureLatency },
  growth: { title: 'How cost grows', measure: measureGrowth },
  files: { title: 'Files and metrics', measure: measureFiles },
  observability: { title: 'Log, metrics and limits', measure: measureObservability },
  stores: { title: 'Stores', measure: measureStores, needsNoServer: true },
  move: { title: 'Moving animals', measure: measureMove, needsNoServer: true },
  production: { title: 'On MongoDB', measure: measureProduction, needsNoServer: true },
  distance: { title: 'A distant MongoDB', measure: measureDistance, needsNoServer: true },
};

/** No run takes longer than this. */
const TIMEOUT_MS = 2 * 60 * 60 * 1000;

async function run(options) {
  console.log(`${machine()}\n`);
  const measuresServers = options.scenarios.length > 0 || options.parts.some((part) => !PARTS[part].needsNoServer);
  if (measuresServers) await compare(options.subjects);
  if (options.scenarios.length > 0) {
    console.log(`## Requests\n\n${await measureRequests(options)}\n`);
  }
  for (const part of options.parts) {
    const { title, measure } = PARTS[part];
    console.log(`## ${title}\n\n${await measure(options)}\n`);
  }
}

async function compare(subjects) {
  await compareAnswers(subjects);
  console.log('Every server gave the same answers as Animal Store, but for what is allowed:\n');
  for (const { title, differences } of subjects) {
    if (differences.length > 0) console.log(`- ${title}: ${differences.map((kind) => DIFFERENCES[kind]).join('; ')}`);
  }
  console.log('');
}

function machine() {
  const [{ model }] = cpus();
  const pinned = CAN_PIN
    ? 'the server pinned to one, the load generator to another unless said below'
    : 'no process pinned';
  return `Node.js ${process.version} on ${cpus().length} × ${model.trim()}, ${pinned}; load by ${LOAD_GENERATOR}.`;
}

try {
  const options = readOptions(process.argv.slice(2));
  setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
  if (options.help) console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof TypeError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 1;
}
