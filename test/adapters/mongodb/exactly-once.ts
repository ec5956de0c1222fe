import type { Collection, Db } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from '../../support/child.js';
import { bundleScript } from '../../support/run-script.js';
import type { Fate, TcpProxy } from '../../support/tcp-proxy.js';

/** One creation that one process sends. Variants of a key are different animals. */
export interface OnceCreation {
  readonly key: number;
  readonly variant: number;
}

/** How it was answered: without an id if the text stood for another animal. */
export interface OnceAnswer extends OnceCreation {
  readonly attempts: number;
  readonly id?: string;
  readonly replayed?: boolean;
}

const SCRIPT = fileURLToPath(new URL('create-once.ts', import.meta.url));
/** The path of the script in one file. All senders share it. */
let bundled: Promise<string> | undefined;
const LATE_MS = 1500;

/** A number of times out of a hundred. */
type Percent = number;

/** What befalls requests about animals and their ids. */
const FATES: readonly [Percent, (random: () => number) => Fate][] = [
  [6, () => 'lose answer'],
  [3, () => 'lose request'],
  [3, (random) => ({ lateMs: Math.floor(random() * LATE_MS) })],
  [15, (random) => ({ until: wait(Math.floor(random() * 300)) })],
];

/** Counts what was done to the senders. */
export interface FaultCounts {
  faults: number;
  kills: number;
  setBacks: number;
  strangers: number;
}

/** Makes a proxy lose, delay and belate requests about animals and their ids. Resolves, when asked, once none is late. */
export function meddle(proxy: TcpProxy, counts: FaultCounts): { untilNoneIsLate(): Promise<void> } {
  let latestEnd = 0;
  proxy.judge((chunk) => {
    if (!chunk.includes('counters') && !chunk.includes('pets')) return 'pass';
    let dice = Math.random() * 100;
    for (const [percent, fate] of FATES) {
      dice -= percent;
      if (dice >= 0) continue;
      counts.faults++;
      latestEnd = performance.now() + LATE_MS;
      return fate(Math.random);
    }
    return 'pass';
  });
  return {
    untilNoneIsLate: async () => wait(Math.max(0, latestEnd - performance.now() + LATE_MS)),
  };
}

/** The minimum number of answers of a process before it is killed, and the maximum number of additional ones. */
const ANSWERS_BEFORE_A_KILL = { least: 6, more: 12 };
const FOR_EVER_MS = 2 ** 31 - 1;
/** How many attempts without an answer are told of. */
const LAST_FAILURES = 20;

/** A process that sends creations until all are answered. It is killed now and then, and started again. */
export class Sender {
  readonly answers: OnceAnswer[] = [];
  /** Resolves when all are answered. */
  readonly done: Promise<void>;
  readonly #url: string;
  readonly #creations: readonly OnceCreation[];
  readonly #counts: FaultCounts;
  #child: Child | undefined;

  constructor(url: string, creations: readonly OnceCreation[], counts: FaultCounts) {
    this.#url = url;
    this.#creations = creations;
    this.#counts = counts;
    this.done = this.#run();
  }

  /** How many creations are answered so far. */
  get count(): number {
    return this.answers.length + answersIn(this.#child);
  }

  /** The last attempts of its process that got no answer, a line each. */
  get lastFailures(): string {
    return (this.#child?.stderr ?? '').split('\n').slice(-LAST_FAILURES).join('\n');
  }

  async #run(): Promise<void> {
    const script = await (bundled ??= bundleScript(SCRIPT));
    for (;;) {
      const answered = new Set(this.answers.map(({ key }) => key));
      const left = this.#creations.filter(({ key }) => !answered.has(key));
      if (left.length === 0) return;
      const child = Child.start(process.execPath, [script, this.#url, JSON.stringify(left)]);
      this.#child = child;
      const { least, more } = ANSWERS_BEFORE_A_KILL;
      const last = least + Math.floor(Math.random() * more);
      const killed = child
        .find(() => answersIn(child) >= last || undefined, FOR_EVER_MS)
        .then(
          () => child.kill('SIGKILL'),
          // It has ended before.
          () => undefined,
        );
      const { code, signal } = await child.exited;
      await killed;
      this.#child = undefined;
      const lines = child.stdout.split('\n').slice(0, -1);
      this.answers.push(...lines.map((line) => JSON.parse(line) as OnceAnswer));
      if (signal === 'SIGKILL') this.#counts.kills++;
      else if (code !== 0) throw new Error(`a sender ended with ${code}:\n${child.stderr}`);
    }
  }
}

function answersIn(child: Child | undefined): number {
  return (child?.stdout.split('\n').length ?? 1) - 1;
}

/** Sets the counter of the ids back, so that processes get ids that are taken. */
export async function setCounterBack(db: Db, counts: FaultCounts): Promise<void> {
  const counters: Collection<{ _id: string; last: bigint }> = db.collection('counters', { useBigInt64: true });
  const counter = await counters.findOne({ _id: 'pets' });
  if (counter === null) return;
  const last = counter.last - BigInt(Math.floor(Math.random() * 30));
  await counters.updateOne({ _id: 'pets' }, { $set: { last: last > 0n ? last : 0n } });
  counts.setBacks++;
}

/** Stores an animal of another program under an id that a process gets soon. */
export async function storeStranger(db: Db, counts: FaultCounts): Promise<void> {
  const counter = await db.collection('counters', { useBigInt64: true }).findOne({});
  const _id = ((counter?.['last'] as bigint | undefined) ?? 0n) + BigInt(Math.floor(Math.random() * 10) - 6);
  if (_id < 1n) return;
  try {
    await db
      .collection<{ _id: bigint }>('pets')
      .insertOne({ _id, name: 'stranger', categoryId: 0n } as { _id: bigint });
    counts.strangers++;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 11000) throw error;
  }
}
