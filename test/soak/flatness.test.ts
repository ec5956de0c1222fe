import { expect } from 'chai';
import { judge, type Sample } from './flatness.js';

const MIB = 2 ** 20;
const STEADY: Sample = { heap: 20 * MIB, rss: 100 * MIB, descriptors: 80 };

/** Thirty samples, each made by its index. */
function samples(sample: (i: number) => Sample): readonly Sample[] {
  return Array.from({ length: 30 }, (_, i) => sample(i));
}

/** The measures that grew. */
function grown(all: readonly Sample[]): readonly string[] {
  return judge(all).flatMap(({ measure, isFlat }) => (isFlat ? [] : [measure]));
}

describe('the rule for endurance runs', () => {
  it('accepts a server that stays as large as it was', () => {
    expect(grown(samples(() => STEADY))).to.deep.equal([]);
  });

  for (const [measure, step] of [
    ['heap', MIB],
    ['rss', 5 * MIB],
    ['descriptors', 4],
  ] as const) {
    it(`notices that the ${measure} grows all the time`, () => {
      const growing = samples((i) => ({ ...STEADY, [measure]: STEADY[measure] + i * step }));
      expect(grown(growing)).to.deep.equal([measure]);
    });
  }

  it('accepts growth in the first third, in which the server warms up', () => {
    expect(grown(samples((i) => ({ ...STEADY, heap: STEADY.heap + Math.min(i, 9) * 10 * MIB })))).to.deep.equal([]);
  });

  it('accepts single large samples', () => {
    const spikes = samples((i) => (i % 3 === 0 ? { heap: 400 * MIB, rss: 900 * MIB, descriptors: 900 } : STEADY));
    expect(grown(spikes)).to.deep.equal([]);
  });

  it('refuses to judge too few samples', () => {
    expect(() => judge(samples(() => STEADY).slice(0, 8))).to.throw(RangeError, '8 samples are too few');
  });
});
