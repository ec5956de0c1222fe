import { expect } from 'chai';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { Child } from '../support/child.js';
import { startCommand } from '../support/command.js';
import { median } from '../support/median.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { skip } from '../support/skip.js';

const DOCUMENT = '/openapi.json';
/** How many times as much CPU time as a server of Node alone the service may take for a file. */
const MAX_RATIO = 1.5;
/** How often the two take turns in a round, whose median counts: what else the machine does falls on turns of both alike. */
const TURNS = 41;
/**
 * How many rounds are tried on a machine that is busy otherwise. Each further one has processes of its own, because how
 * well the compiler of a process has optimised its code lasts as long as the process.
 */
const MAX_ROUNDS = 5;
/** How many connections send requests. */
const CONNECTIONS = 8;

/** A server that runs in its own process. */
interface Subject {
  readonly pid: number;
  readonly port: number;
}

interface Subjects {
  readonly ours: Subject;
  /** A server of Node alone, which serves the files of ours from memory. */
  readonly bare: Subject;
}

describe('a file that stays the same', function () {
  this.timeout(180_000);
  let first: Subjects;

  before(async function () {
    if (process.platform !== 'linux') skip(this, 'it reads /proc');
    first = await startBoth();
  });

  for (const [what, path, method, count] of [
    ['the largest file', BUNDLE_PATH, 'HEAD', 100],
    ['the largest file', BUNDLE_PATH, 'GET', 16],
    ['the OpenAPI document', DOCUMENT, 'GET', 100],
  ] as const) {
    it(`costs at most ${MAX_RATIO} times as much for ${what} by ${method} as with a bare server that holds it in a Buffer`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const cost = async (subject: Subject, factor = 1): Promise<number> =>
        cpuTimeOf(subject, { agent, method, path }, count * factor);
      const medians: number[] = [];
      do {
        const { ours, bare } = medians.length === 0 ? first : await startBoth();
        await cost(ours, 10);
        await cost(bare, 10);
        const ratios: number[] = [];
        while (ratios.length < TURNS) ratios.push((await cost(ours)) / (await cost(bare)));
        medians.push(median(ratios));
      } while (Math.min(...medians) > MAX_RATIO && medians.length < MAX_ROUNDS);
      agent.destroy();
      expect(Math.min(...medians), `medians of ${medians.join(', ')}`).to.be.at.most(MAX_RATIO);
    });
  }
});

async function startBoth(): Promise<Subjects> {
  const ours = await startCommand(['--log-level', 'warn']);
  const origin = `http://127.0.0.1:${ours.port}`;
  const child = Child.startNode(['test/http/costs/bare-files.ts', origin, BUNDLE_PATH, DOCUMENT]);
  const port = Number(await child.find(() => /^(\d+)\n/.exec(child.stdout)?.[1]));
  return { ours, bare: { pid: child.pid, port } };
}

/** How much CPU time a server takes for some requests, in milliseconds. */
async function cpuTimeOf({ pid, port }: Subject, options: RequestOptions, count: number): Promise<number> {
  const before = cpuTime(pid);
  let unsent = count;
  const sendInTurn = async (): Promise<void> => {
    while (unsent-- > 0) await send({ ...options, host: '127.0.0.1', port });
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendInTurn));
  return cpuTime(pid) - before;
}

async function send(options: RequestOptions): Promise<void> {
  const [answer] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${options.path} was answered by ${answer.statusCode}`);
  await once(answer.resume(), 'end');
}

/** The CPU time of all threads of a process so far, which `schedstat` gives in nanoseconds (proc(5)). */
function cpuTime(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [time] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(time) / 1e6;
  });
  return times.reduce((sum, time) => sum + time, 0);
}
