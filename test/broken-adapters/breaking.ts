import { expect } from 'chai';
import type { Checks } from '../contracts/test-runner.js';
import { except, type Method, type Methods } from '../support/except.js';

/** What is broken, by the sentence of the check that must notice it and by the fault. */
export type Broken<Create> = Readonly<Record<string, Readonly<Record<string, Create>>>>;

/** Rejects with an error that no port foresees. */
export async function fail(): Promise<never> {
  throw new Error('broken');
}

/**
 * The functions that break an adapter.
 *
 * @param base What all the broken ones have in common. @default nothing
 */
export function breaking<Sound extends Port, Port extends object>(createSound: () => Sound, base: Methods<Port> = {}) {
  /** Makes adapters that are sound, except for the methods that `methodsOf` makes of a sound one. */
  function vary(methodsOf: (sound: Sound) => Methods<Port>): () => Port {
    return () => {
      const sound = createSound();
      return except<Port>(sound, { ...base, ...methodsOf(sound) });
    };
  }

  /** Makes adapters that are sound, except for a method, which gets the sound one as its first argument. */
  function around<Name extends keyof Port & string>(
    name: Name,
    method: (sound: Method<Port, Name>, ...args: Parameters<Method<Port, Name>>) => unknown,
  ): () => Port {
    return vary((sound) => {
      const call = (sound[name] as Method<Port, Name> & CallableFunction).bind(sound) as Method<Port, Name>;
      const methods = { [name]: (...args: Parameters<Method<Port, Name>>) => method(call, ...args) };
      return methods as unknown as Methods<Port>;
    });
  }

  return { vary, around };
}

/** The sentences of the checks that a subject fails. Runs all checks concurrently, each on a new subject. */
export async function failingChecks<Subject>(checks: Checks<Subject>, create: () => Subject): Promise<string[]> {
  const failing = Object.entries(checks).map(async ([sentence, check]) => {
    try {
      await check(create());
      return [];
    } catch {
      return [sentence];
    }
  });
  return (await Promise.all(failing)).flat();
}

/**
 * Declares tests that a suite catches everything broken, and needs each of its checks.
 *
 * @param what What is broken.
 * @param checks The checks of the suite, by their sentences.
 * @param failing Resolves to the sentences of the checks that fail, of all or of the one given.
 */
export function itCatches<Create>(
  what: string,
  broken: readonly Broken<Create>[],
  checks: object,
  failing: (create: Create, sentence: string) => Promise<readonly string[]>,
): void {
  const all = broken.flatMap((tables) =>
    Object.entries(tables).flatMap(([sentence, creates]) =>
      Object.entries(creates).map(([fault, create]) => ({ sentence, fault, create })),
    ),
  );
  const failures = new Map<Create, readonly string[]>();

  before(async () => {
    await Promise.all(all.map(async ({ create, sentence }) => failures.set(create, await failing(create, sentence))));
  });

  for (const { sentence, fault, create } of all) {
    it(`catches ${what} that ${fault}: ${sentence}`, () => {
      expect(failures.get(create)).to.include(sentence);
    });
  }

  it('needs each of its checks: something broken fails it', () => {
    expect([...new Set([...failures.values()].flat())]).to.have.members(Object.keys(checks));
  });
}
