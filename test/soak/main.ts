/**
 * An endurance run: `npm run soak -- --minutes N [--store NAME]`. Ends with exit code 1 at the first part that finds a fault.
 *
 * 1. Starts a server in a process of its own, and for N minutes puts a mixed load and all kinds of abuse on it. Compares the heap after
 *    garbage collections, RSS and open descriptors of the last third of that time with the middle third. The longer the run, the smaller
 *    the leaks that it finds.
 * 2. Holds connections whose clients never read, and compares the memory of the server with its bound: see never-reading.ts. Where no
 *    network namespace can be had, prints why, and continues.
 * 3. Ends servers by SIGTERM under load, and counts failed requests.
 *
 * Runs on Linux, on the loopback interface only, and ends what it starts.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Load } from '../support/load.js';
import { faultOfNamespaces, startInNamespace } from './network-namespace.js';
import { until } from '../support/until.js';
import { ABUSES, abuser } from './abuse.js';
import { growthIn, type Sample } from './flatness.js';
import { steadyClient } from './load-clients.js';
import { restartUnderLoad } from './restarts.js';
import { descriptorsOf, measure, startServer } from './soaked-server.js';

/** How many clients send the mixed load without a pause. */
const CLIENTS = 6;
/** How many samples are taken. */
const SAMPLES = 30;
/** How many more descriptors may be open than before, once all clients have gone. */
const LEFT_DESCRIPTORS = 4;
/** How many clients of each kind of response read nothing. */
const UNREAD = '150';
/** How many servers are ended under load. */
const RESTARTS = 50;

/** Loads and abuses a server for some minutes. Resolves to what is wrong with it. */
async function soak(minutes: number, store: string | undefined): Promise<string[]> {
  console.log(`${minutes} minutes of load and abuse`);
  const server = await startServer(store);
  const before = descriptorsOf(server);
  let requests = 0;
  let attempts = 0;
  const load = new Load([
    ...Array.from({ length: CLIENTS }, () => steadyClient(server.port, () => requests++)),
    ...Object.values(ABUSES).flatMap(({ attempt, clients }) =>
      Array.from({ length: clients }, () => abuser(server.port, attempt, () => attempts++)),
    ),
  ]);

  const samples: Sample[] = [];
  for (let i = 1; i <= SAMPLES; i++) {
    await setTimeout((minutes * 60_000) / SAMPLES);
    const sample = await measure(server);
    samples.push(sample);
    console.log(`${i}/${SAMPLES}: ${JSON.stringify(sample)}, ${requests} requests, ${attempts} attempts of abuse`);
  }

  const { unexpected } = await load.end();
  await Promise.race([until(() => descriptorsOf(server) <= before), setTimeout(20_000)]);
  const left = descriptorsOf(server) - before;
  const { code, signal } = await server.stop();
  return [
    ...unexpected.map((fault) => `unexpected: ${String(fault)}`),
    ...growthIn(samples),
    ...(left > LEFT_DESCRIPTORS ? [`${left} descriptors stayed open after the load`] : []),
    ...(code === 0 ? [] : [`the server ended with ${signal ?? code}`]),
  ];
}

/** Runs the part with clients that never read. Resolves to what is wrong. */
async function holdUnread(): Promise<string[]> {
  const fault = faultOfNamespaces();
  if (fault !== undefined) {
    console.log(`Skipped: clients that never read: this machine gives no network namespace: ${fault}`);
    return [];
  }
  const run = startInNamespace('test/soak/never-reading.ts', [UNREAD]);
  const { code } = await run.exited;
  console.log(run.stdout + run.stderr);
  return code === 0 ? [] : ['clients that never read cost too much'];
}

async function restart(store: string | undefined): Promise<readonly string[]> {
  const { requests, faults } = await restartUnderLoad(RESTARTS, store);
  console.log(`${RESTARTS} servers ended by SIGTERM under load: ${requests} requests were answered`);
  return faults;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' }, store: { type: 'string' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new TypeError('--minutes must be a number above 0');
for (const part of [() => soak(minutes, values.store), holdUnread, () => restart(values.store)]) {
  const faults = await part();
  for (const fault of faults) console.log(`✖ ${fault}`);
  if (faults.length > 0) process.exit(1);
}
console.log('✔ passed');
