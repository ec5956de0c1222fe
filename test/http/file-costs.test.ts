import { expect } from 'chai';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { Child } from '../support/child.js';
import { startCommand } from '../support/command.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { skip } from '../support/skip.js';

const DOCUMENT = '/openapi.json';
/** How many times as much CPU time as a server of Node alone the service may take for a file. */
const MAX_RATIO = 1.5;
/** A machine that is busy otherwise makes a process look dearer, so the cheapest of some rounds counts: of more, if it has to. */
const [MIN_ROUNDS, MAX_ROUNDS] = [5, 8];

/** A server that runs in a process of its own. */
interface Subject {
  readonly pid: number;
  readonly port: number;
}

describe('a file that stays the same', function () {
  this.timeout(180_000);
  let ours: Subject;
  let bare: Subject;

  before(async function () {
    if (process.platform !== 'linux') skip(this, 'it reads /proc');
    const command = await startCommand(['--log-level', 'warn']);
    const child = Child.startNode([
      'test/http/costs/bare-files.ts',
      `http://127.0.0.1:${command.port}`,
      BUNDLE_PATH,
      DOCUMENT,
    ]);
    ours = command;
    bare = { pid: child.pid, port: Number(await child.find(() => /^(\d+)\n/.exec(child.stdout)?.[1])) };
  });

  for (const [what, path, method, count] of [
    ['the largest file', BUNDLE_PATH, 'HEAD', 1000],
    ['the largest file', BUNDLE_PATH, 'GET', 150],
    ['the OpenAPI document', DOCUMENT, 'GET', 2000],
  ] as const) {
    it(`costs at most ${MAX_RATIO} times as much for ${what} by ${method} as with a bare server that holds it in a Buffer`, async () => {
      const least = { ours: Infinity, bare: Infinity };
      await cpuTimeOf(ours, method, path, count);
      await cpuTimeOf(bare, method, path, count);
      const isEnough = (): boolean => least.ours / least.bare <= MAX_RATIO;
      for (let round = 0; round < MAX_ROUNDS && (round < MIN_ROUNDS || !isEnough()); round++) {
        least.ours = Math.min(least.ours, await cpuTimeOf(ours, method, path, count));
        least.bare = Math.min(least.bare, await cpuTimeOf(bare, method, path, count));
      }
      expect(least.ours / least.bare, JSON.stringify(least)).to.be.at.most(MAX_RATIO);
    });
  }
});

/** How much CPU time a server takes for some requests, in milliseconds. */
async function cpuTimeOf({ pid, port }: Subject, method: string, path: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = cpuTime(pid);
  for (let i = 0; i < count; i++) {
    const sent = request({ agent, port, host: '127.0.0.1', method, path }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${method} ${path} was answered by ${answer.statusCode}`);
    await once(answer.resume(), 'end');
  }
  const taken = cpuTime(pid) - before;
  agent.destroy();
  return taken;
}

/** The CPU time of all threads of a process so far, which `schedstat` gives in nanoseconds (proc(5)). */
function cpuTime(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [time] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(time) / 1e6;
  });
  return times.reduce((sum, time) => sum + time, 0);
}
