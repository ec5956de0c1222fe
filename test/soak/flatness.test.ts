import { expect } from 'chai';
import { judge, type Sample } from './flatness.js';

const MIB = 2 ** 20;
const STEADY: Sample = { heap: 20 * MIB, rss: 100 * MIB, descriptors: 80 };
const SPIKE: Sample = { heap: 400 * MIB, rss: 900 * MIB, descriptors: 900 };

/** What differs from {@link STEADY} in the sample of each index, and the measures that grow by it. */
const RUNS: Readonly<Record<string, readonly [sample: (i: number) => Partial<Sample>, ...grown: string[]]>> = {
  'accepts a server that stays as large as it was': [() => ({})],
  'notices that the heap grows all the time': [(i) => ({ heap: STEADY.heap + i * MIB }), 'heap'],
  'notices that RSS grows all the time': [(i) => ({ rss: STEADY.rss + i * 5 * MIB }), 'rss'],
  'notices that descriptors grow all the time': [(i) => ({ descriptors: 80 + i * 4 }), 'descriptors'],
  'accepts growth in the first third, in which the server warms up': [
    (i) => ({ heap: STEADY.heap + Math.min(i, 9) * 10 * MIB }),
  ],
  'accepts single large samples': [(i) => (i % 3 === 0 ? SPIKE : {})],
};

describe('the rule for endurance runs', () => {
  for (const [title, [sample, ...grown]] of Object.entries(RUNS)) {
    it(title, () => {
      const verdicts = judge(Array.from({ length: 30 }, (_, i) => ({ ...STEADY, ...sample(i) })));
      expect(verdicts.flatMap(({ measure, isFlat }) => (isFlat ? [] : [measure]))).to.deep.equal(grown);
    });
  }

  it('refuses to judge too few samples', () => {
    expect(() => judge(Array<Sample>(8).fill(STEADY))).to.throw(RangeError);
  });
});
