import { expect } from 'chai';
import { Child } from '../support/child.js';
import { READERS } from './costs/readers.js';

/** How long the measurements of one text may take on a busy machine, in milliseconds. Alone, they take a tenth of it. */
const LIMIT = 240_000;

describe('what a client sends', function () {
  this.timeout(LIMIT);

  /** The process that measures one text after another. */
  let measuring: Child | undefined;
  after(() => measuring?.kill('SIGKILL'));

  for (const [i, text] of Object.keys(READERS).entries()) {
    it(`costs in proportion to its length at worst: ${text}`, async () => {
      const left = Object.keys(READERS).slice(i);
      const child = (measuring ??= Child.startNode(['test/http/costs/measure.ts', ...left], { outlivesTest: true }));
      const isDone = (): true | undefined => child.stdout.split('\n').includes(`done: ${text}`) || undefined;
      // The test would end by its time-out, too, but would not name the shape.
      const isInProportion = await child.find(isDone, 0.9 * LIMIT).catch(() => false);
      if (!isInProportion) {
        // Another process measures the texts that are left.
        child.kill('SIGKILL');
        measuring = undefined;
      }
      expect(isInProportion, `${child.stderr}${child.stdout.trimEnd().split('\n').at(-1)}`).to.equal(true);
    });
  }
});
