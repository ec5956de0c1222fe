import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { boundedCall } from '../../../src/adapters/kit/bounded-call.js';
import { GroupCommit, type GroupCommitEntry } from '../../../src/adapters/kit/group-commit.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { until } from '../../support/until.js';

type Entry = GroupCommitEntry<string, string>;

const bounds = { deadlineMs: 20, isUnavailable: () => false };

/** A group commit whose batches are stored by hand. */
class Stored {
  readonly batches: (readonly Entry[])[] = [];
  readonly commit: GroupCommit<string, string>;
  #finish: (() => void) | undefined;
  #isEnding = false;

  constructor(max = 100) {
    this.commit = new GroupCommit(max, async (batch) => {
      if (this.#finish !== undefined) throw new Error('two batches at a time');
      this.batches.push(batch);
      if (!this.#isEnding) await new Promise<void>((resolve) => (this.#finish = resolve));
      this.#finish = undefined;
      if (this.#isEnding) for (const entry of batch) entry.resolve(entry.value);
    });
  }

  /** The values of each batch, joined. */
  get values(): string[] {
    return this.batches.map((batch) => batch.map(({ value }) => value).join(''));
  }

  /** Adds values, whose promises nobody looks at. */
  add(...values: string[]): void {
    for (const value of values) this.commit.add(value).catch(() => undefined);
  }

  /** Resolves to a batch, by its number, once it is being stored. */
  async batch(number: number): Promise<readonly Entry[]> {
    await until(() => this.batches.length > number);
    return this.batches[number] as readonly Entry[];
  }

  /** Ends the storing of the present batch. */
  finish(): void {
    this.#finish?.();
  }

  /** Settles all that is and will be added. */
  async settleAll(): Promise<void> {
    this.#isEnding = true;
    this.finish();
    await this.commit.idle();
  }
}

/** A group commit that stores whatever it gets. */
const storing = (batches: string[][] = [], max = 100): GroupCommit<string, string> =>
  new GroupCommit(max, async (batch) => {
    batches.push(batch.map(({ value }) => value));
    for (const entry of batch) entry.resolve(`stored ${entry.value}`);
  });

describe('a group commit', () => {
  it('resolves to what a value is settled with', async () => {
    const commit = storing();
    expect(await Promise.all([commit.add('a'), commit.add('b')])).to.deep.equal(['stored a', 'stored b']);
  });

  it('stores the values of one turn of the event loop together, in a later turn', async () => {
    const batches: string[][] = [];
    const commit = storing(batches);
    const added = [commit.add('a'), Promise.resolve().then(async () => commit.add('b'))];
    expect(batches).to.deep.equal([]);
    await Promise.all(added);
    expect(batches).to.deep.equal([['a', 'b']]);
  });

  it('stores those that arrive while a batch is being stored together, after it', async () => {
    const stored = new Stored();
    stored.add('a');
    const [a] = await stored.batch(0);
    stored.add('b');
    await turn();
    stored.add('c');
    await turn();
    expect(stored.values).to.deep.equal(['a']);
    a?.resolve('');
    stored.finish();
    await stored.batch(1);
    expect(stored.values).to.deep.equal(['a', 'bc']);
    await stored.settleAll();
  });

  it('lets the event loop turn between its batches, which hold no more than the maximum', async () => {
    const batches: string[][] = [];
    const commit = storing(batches, 10);
    let turns = 0;
    const count = (): void => void (turns++, (next = setImmediate(count)));
    let next = setImmediate(count);
    await Promise.all(Array.from({ length: 95 }, async () => commit.add('a')));
    clearImmediate(next);
    expect(batches.map(({ length }) => length)).to.deep.equal([...Array<number>(9).fill(10), 5]);
    expect(turns).to.be.at.least(9);
  });

  it('stores again what is left unsettled, before what has arrived since', async () => {
    const stored = new Stored(3);
    stored.add('a', 'b', 'c');
    const [, b] = await stored.batch(0);
    stored.add('d', 'e');
    b?.resolve('');
    stored.finish();
    await stored.batch(1);
    expect(stored.values).to.deep.equal(['abc', 'acd']);
    stored.finish();
    await stored.batch(2);
    expect(stored.values[2]).to.equal('acd');
    await stored.settleAll();
  });

  for (const [how, fail] of [
    ['rejects', async () => Promise.reject(new Error('a fault'))],
    [
      'throws',
      () => {
        throw new Error('a fault');
      },
    ],
  ] as const) {
    it(`rejects what a store that ${how} has not settled, and stores the next batch`, async () => {
      let isBroken = true;
      const commit = new GroupCommit<string, string>(2, (batch) => {
        batch[0]?.resolve('stored');
        if (isBroken) {
          isBroken = false;
          return fail();
        }
        for (const entry of batch) entry.resolve('stored');
        return Promise.resolve();
      });
      const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(async (value) => commit.add(value)));
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    });
  }

  describe('of an entry whose caller leaves', () => {
    it('rejects the one whose signal is aborted with its reason, and stores its neighbours', async () => {
      const batches: string[][] = [];
      const commit = storing(batches);
      const controller = new AbortController();
      const [before, aborted, after] = [commit.add('a'), commit.add('b', controller), commit.add('c', {})];
      controller.abort('left');
      expect(await rejectionOf(aborted)).to.equal('left');
      expect(await Promise.all([before, after])).to.deep.equal(['stored a', 'stored c']);
      expect(batches).to.deep.equal([['a', 'c']]);
    });

    it('changes nothing if the signal is not aborted, or only after the entry is settled', async () => {
      const commit = storing();
      const controller = new AbortController();
      expect(await commit.add('a', controller)).to.equal('stored a');
      controller.abort();
      expect(await commit.add('b')).to.equal('stored b');
    });

    it('does not store the one whose deadline has passed again, and tells the call why', async () => {
      const stored = new Stored();
      const late = rejectionOf(boundedCall(bounds, async (call) => stored.commit.add('a', call)));
      stored.add('b');
      const [a] = await stored.batch(0);
      const obstacle = new Error('the id is taken');
      (a as Entry).call.obstacle = obstacle;
      expect(await late).to.include({ code: 'store_unavailable', cause: obstacle });
      stored.finish();
      await stored.batch(1);
      expect(stored.values).to.deep.equal(['ab', 'b']);
      await stored.settleAll();
    });

    it('stores nothing if none is left, and whatever is added later', async () => {
      const batches: string[][] = [];
      const commit = storing(batches);
      expect(await rejectionOf(commit.add('a', { signal: AbortSignal.abort('left') }))).to.equal('left');
      await commit.idle();
      expect(batches).to.deep.equal([]);
      expect(await commit.add('b')).to.equal('stored b');
    });
  });

  describe('from which entries are taken before they are settled', () => {
    it('does not store them again, or reject them with their batch, until they are put back', async () => {
      let taken: readonly Entry[] = [];
      const batches: string[] = [];
      const commit = new GroupCommit<string, string>(100, async (batch) => {
        batches.push(batch.map(({ value }) => value).join(''));
        if (batches.length > 1) for (const entry of batch) entry.resolve('stored');
        else {
          taken = commit.take(batch.slice(0, 1));
          throw new Error('a fault');
        }
      });
      const [a, b] = [commit.add('a'), rejectionOf(commit.add('b'))];
      expect(await b).to.have.property('message', 'a fault');
      await commit.idle();
      expect(batches).to.deep.equal(['ab']);
      for (const entry of taken) commit.putBack(entry);
      expect(await a).to.equal('stored');
      expect(batches).to.deep.equal(['ab', 'a']);
    });

    it('gives those that still wait: neither settled, nor taken, nor over', async () => {
      const stored = new Stored();
      const late = rejectionOf(boundedCall(bounds, async (call) => stored.commit.add('a', call)));
      stored.add('b', 'c', 'd');
      const batch = await stored.batch(0);
      await late;
      batch[1]?.resolve('');
      expect(stored.commit.take(batch.slice(0, 3)).map(({ value }) => value)).to.deep.equal(['c']);
      expect(stored.commit.take(batch).map(({ value }) => value)).to.deep.equal(['d']);
      stored.finish();
      await stored.commit.idle();
    });
  });

  it('is idle once everything that was added is stored', async () => {
    const batches: string[][] = [];
    const commit = storing(batches, 1);
    await commit.idle();
    const added = ['a', 'b', 'c'].map(async (value) => commit.add(value));
    await commit.idle();
    expect(batches).to.deep.equal([['a'], ['b'], ['c']]);
    await Promise.all(added);
  });

  for (const [name, installFakes] of Object.entries(FAKE_TIMERS)) {
    it(`stores under ${name}`, async () => {
      installFakes();
      const commit = storing();
      expect(await Promise.all([commit.add('a'), commit.add('b')])).to.deep.equal(['stored a', 'stored b']);
    });
  }
});
