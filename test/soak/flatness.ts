import { median } from '../support/median.js';

/** What is measured of the server at one time. */
export interface Sample {
  /** Bytes of the heap that are in use after a garbage collection. */
  readonly heap: number;
  /** Bytes of memory that the process holds. */
  readonly rss: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** How much the last third of a run may exceed the middle third: a share of it, and an amount. */
interface Tolerance {
  readonly share: number;
  readonly amount: number;
}

const MIB = 2 ** 20;

/**
 * The heap after a collection holds little more than the requests in flight. RSS also depends on when V8 and the allocator
 * give pages back, and descriptors on how many abusive connections are open at the time.
 */
const TOLERANCES: Readonly<Record<keyof Sample, Tolerance>> = {
  heap: { share: 0.1, amount: 2 * MIB },
  rss: { share: 0.1, amount: 24 * MIB },
  descriptors: { share: 0.1, amount: 24 },
};

/** Whether one of the measures stayed flat. */
export interface Verdict {
  readonly measure: keyof Sample;
  /** The medians of the middle and of the last third of the samples. */
  readonly middle: number;
  readonly last: number;
  /** The greatest `last` that counts as flat. */
  readonly allowed: number;
  readonly isFlat: boolean;
}

/** The fewest samples that can be judged. */
export const MIN_SAMPLES = 9;

/**
 * Judges whether a server stayed as large as it was. The first third of the samples is its warm-up: code is compiled, pools
 * and caches fill. The median of the last third must not exceed that of the middle third by more than the tolerance. Medians
 * keep a single large sample from deciding.
 *
 * @throws RangeError for fewer than {@link MIN_SAMPLES} samples.
 */
export function judge(samples: readonly Sample[]): readonly Verdict[] {
  if (samples.length < MIN_SAMPLES) throw new RangeError(`${samples.length} samples are too few to judge`);
  const third = Math.floor(samples.length / 3);
  return (Object.keys(TOLERANCES) as (keyof Sample)[]).map((measure) => {
    const values = samples.map((sample) => sample[measure]);
    const middle = median(values.slice(third, 2 * third));
    const last = median(values.slice(-third));
    const { share, amount } = TOLERANCES[measure];
    const allowed = middle * (1 + share) + amount;
    return { measure, middle, last, allowed, isFlat: last <= allowed };
  });
}
