/**
 * An endurance run: `npm run soak -- --minutes N [--restarts N] [--unread N] [--store NAME]`. Ends with exit code 1 if the server grew,
 * answered a request wrongly, or failed one while it was restarted; with 2 if the options are at fault.
 *
 * 1. Starts a server in a process of its own, and for N minutes puts a mixed load and all kinds of abuse on it.
 * 2. Compares the heap after garbage collections, RSS and open descriptors of the last third of that time with the middle
 *    third, by the rule of `judge` in flatness.ts. The longer the run, the smaller the leaks that it finds.
 * 3. Holds connections whose clients never read, 150 by default for each kind of answer, on an MTU of 1,500, and compares the
 *    memory of the server with its bound: see never-reading.ts. Where no network namespace can be had, prints why, and goes on.
 * 4. Ends servers by SIGTERM under load, 50 times by default, and counts failed requests.
 *
 * Runs on Linux, on the loopback interface only, and ends what it starts.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { RunningCommand } from '../support/command.js';
import { Load } from '../support/load.js';
import { faultOfNamespaces, startInNamespace } from './network-namespace.js';
import { until } from '../support/until.js';
import { ABUSES, abuser } from './abuse.js';
import { judge, MIN_SAMPLES, type Sample } from './flatness.js';
import { steadyClient } from './load-clients.js';
import { restartUnderLoad } from './restarts.js';
import { descriptorsOf, measure, startServer } from './soaked-server.js';

const USAGE = 'usage: npm run soak -- --minutes N [--restarts N] [--unread N] [--store NAME]';
/** How many clients send the mixed load without a pause. */
const CLIENTS = 6;
/** How many samples are taken, unless they would be less than half a second or more than 10 s apart. */
const SAMPLES = 60;
/** How many more descriptors may be open than before, once all clients have gone. */
const LEFT_DESCRIPTORS = 4;
/** How many faults are printed one by one. */
const SHOWN_FAULTS = 20;
const MIB = 2 ** 20;

/** What an endurance run is to do. */
interface Options {
  readonly minutes: number;
  readonly restarts: number;
  /** How many clients of each kind of answer read nothing; 0 leaves that part out. */
  readonly unread: number;
  readonly store: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '' },
      restarts: { type: 'string', default: '50' },
      unread: { type: 'string', default: '150' },
      store: { type: 'string' },
    },
  });
  const [minutes, restarts, unread] = [Number(values.minutes), Number(values.restarts), Number(values.unread)];
  if (!(minutes > 0)) throw new TypeError('--minutes must be a number above 0');
  if (!(restarts >= 0)) throw new TypeError('--restarts must be a number');
  if (!(unread >= 0)) throw new TypeError('--unread must be a number');
  return { minutes, restarts, unread, store: values.store };
}

const sizes = ({ heap, rss, descriptors }: Sample): string =>
  `heap ${(heap / MIB).toFixed(1)} MiB, RSS ${(rss / MIB).toFixed(1)} MiB, ${descriptors} descriptors`;

/** Loads and abuses a server for some minutes. Resolves to what is wrong with it. */
async function soak({ minutes, store }: Options): Promise<string[]> {
  const server = await startServer({ store });
  const before = descriptorsOf(server);
  let requests = 0;
  const counts = new Map(Object.keys(ABUSES).map((name) => [name, 0]));
  const load = new Load([
    ...Array.from({ length: CLIENTS }, () => steadyClient(server.port, () => requests++)),
    ...Object.entries(ABUSES).flatMap(([name, { attempt, clients }]) =>
      Array.from({ length: clients }, () =>
        abuser(server.port, attempt, () => counts.set(name, (counts.get(name) ?? 0) + 1)),
      ),
    ),
  ]);

  const samples: Sample[] = [];
  const length = minutes * 60_000;
  const count = Math.max(MIN_SAMPLES, Math.round(length / Math.min(10_000, Math.max(500, length / SAMPLES))));
  for (let i = 1; i <= count; i++) {
    await setTimeout(length / count);
    const sample = await measure(server);
    samples.push(sample);
    console.log(`minute ${((i * minutes) / count).toFixed(2)}: ${sizes(sample)}, ${requests} requests`);
  }

  const report = await load.end();
  const left = await descriptorsAtRest(server, before);
  const { code, signal } = await server.stop();
  const verdicts = judge(samples);

  console.log('The abuse:', Object.fromEntries(counts));
  for (const { measure: name, middle, last, isFlat } of verdicts) {
    const medians = `median ${Math.round(middle)} in the middle third, ${Math.round(last)} in the last`;
    console.log(`${name}: ${medians}: ${isFlat ? 'flat' : 'GREW'}`);
  }
  console.log(`open descriptors: ${before} before the load, ${left} after it\n`);
  return [
    ...report.unexpected.map((fault) => `unexpected: ${String(fault)}`),
    ...verdicts.filter(({ isFlat }) => !isFlat).map(({ measure: name }) => `the server grew: ${name}`),
    ...(left > before + LEFT_DESCRIPTORS ? ['descriptors stayed open after the load'] : []),
    ...(code === 0 ? [] : [`the server ended with ${signal ?? code}`]),
  ];
}

/** How many descriptors are open once the connections of the load have closed; if they do not close, after 20 s. */
async function descriptorsAtRest(server: RunningCommand, before: number): Promise<number> {
  await Promise.race([until(() => descriptorsOf(server) <= before), setTimeout(20_000)]);
  return descriptorsOf(server);
}

/** Runs the part with clients that never read. Resolves to what is wrong. */
async function holdUnread(clients: number): Promise<string[]> {
  const fault = faultOfNamespaces();
  if (fault !== undefined) {
    console.log(`Skipped: clients that never read: this machine gives no network namespace: ${fault}\n`);
    return [];
  }
  console.log(`${clients} clients of each kind of answer that never read, on an MTU of 1,500`);
  const run = startInNamespace('test/soak/never-reading.ts', [String(clients)]);
  const { code, signal } = await run.exited;
  console.log(run.stdout + run.stderr);
  const faults = [...run.stdout.matchAll(/^✖ (.*)$/gm)].map(([, text = '']) => text);
  return code === 0 || faults.length > 0 ? faults : [`the clients that never read ended with ${signal ?? code}`];
}

async function run(options: Options): Promise<number> {
  console.log(`${options.minutes} minutes of load and abuse`);
  const faults = await soak(options);
  if (options.unread > 0) faults.push(...(await holdUnread(options.unread)));
  if (options.restarts > 0) {
    console.log(`${options.restarts} servers ended by SIGTERM under load`);
    const { requests, faults: failed } = await restartUnderLoad(options.restarts, options);
    console.log(`${requests} requests were answered, ${failed.length} faults\n`);
    faults.push(...failed);
  }
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`✖ ${fault}`);
  console.log(faults.length === 0 ? '✔ passed' : `✖ failed: ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

let options: Options;
try {
  options = readOptions();
} catch (error) {
  console.error(`${String(error)}\n${USAGE}`);
  process.exit(2);
}
process.exit(await run(options));
