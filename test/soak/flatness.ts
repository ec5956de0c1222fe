/** What is measured of a server at one time: bytes of the heap after a garbage collection, bytes of RSS, open descriptors. */
export interface Sample {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
}

const MIB = 2 ** 20;

/**
 * By how much the last third of a run may exceed the middle third, besides a tenth of it. The heap after a collection holds little more
 * than the requests in flight. RSS also depends on when V8 and the allocator give pages back, and descriptors on how many abusive
 * connections are open at the time.
 */
const TOLERANCES: Sample = { heap: 2 * MIB, rss: 24 * MIB, descriptors: 24 };

/** Whether one of the measures stayed flat, with the medians of the middle and of the last third of the samples. */
export interface Verdict {
  readonly measure: keyof Sample;
  readonly middle: number;
  readonly last: number;
  readonly isFlat: boolean;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** The fewest samples that can be judged. */
export const MIN_SAMPLES = 9;

/**
 * Judges whether a server stayed as large as it was. The first third of the samples is its warm-up: code is compiled, pools
 * and caches fill. Medians keep a single large sample from deciding.
 *
 * @throws RangeError for fewer than {@link MIN_SAMPLES} samples.
 */
export function judge(samples: readonly Sample[]): readonly Verdict[] {
  if (samples.length < MIN_SAMPLES) throw new RangeError(`${samples.length} samples are too few to judge`);
  const third = Math.floor(samples.length / 3);
  return (['heap', 'rss', 'descriptors'] as const).map((measure) => {
    const values = samples.map((sample) => sample[measure]);
    const [middle, last] = [median(values.slice(third, 2 * third)), median(values.slice(-third))];
    return { measure, middle, last, isFlat: last <= middle * 1.1 + TOLERANCES[measure] };
  });
}
