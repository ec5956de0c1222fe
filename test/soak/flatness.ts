/** What is measured of a server at one time: bytes of the heap after a garbage collection, bytes of RSS, open descriptors. */
export interface Sample {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
}

/**
 * By how much the last third of a run may exceed the middle third, besides a tenth of it. The heap after a collection holds little more
 * than the requests in flight. RSS also depends on when V8 and the allocator give pages back, and descriptors on how many abusive
 * connections are open at the time.
 */
const TOLERANCES: Sample = { heap: 2 * 2 ** 20, rss: 24 * 2 ** 20, descriptors: 24 };

/**
 * Says which measures of a server grew; nothing if it stayed as large as it was. The first third of the samples is its warm-up, in which
 * code is compiled, and pools and caches fill. Medians keep a single large sample from deciding.
 */
export function growthIn(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  return (['heap', 'rss', 'descriptors'] as const).flatMap((measure) => {
    const values = samples.map((sample) => sample[measure]);
    const [middle, last] = [median(values.slice(third, 2 * third)), median(values.slice(-third))];
    const isFlat = last <= middle * 1.1 + TOLERANCES[measure];
    return isFlat ? [] : [`the server grew: ${measure} from ${middle} in the middle third to ${last} in the last`];
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
