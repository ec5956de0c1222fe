import { expect } from 'chai';

/** A subject that breaks one sentence of a port, and the check of the suite that must notice. */
export interface Broken<Create> {
  readonly create: Create;
  readonly caughtBy: string;
}

/** Broken subjects by their fault. */
export type ByFault<Create> = Readonly<Record<string, Broken<Create>>>;

/** Broken subjects by their fault, from those that each check must notice. */
export function byFault<Create>(byCheck: Readonly<Record<string, Readonly<Record<string, Create>>>>): ByFault<Create> {
  return Object.fromEntries(
    Object.entries(byCheck).flatMap(([caughtBy, creates]) =>
      Object.entries(creates).map(([fault, create]) => [fault, { create, caughtBy }]),
    ),
  );
}

/**
 * Declares tests that a suite catches each broken subject, and needs each of its checks.
 *
 * @param what What the subjects are.
 * @param checks The checks of the suite, by their sentences.
 * @param failing Resolves to the sentences of the checks that a subject fails.
 */
export function itCatches<Create>(
  what: string,
  broken: ByFault<Create>,
  checks: object,
  failing: (create: Create) => Promise<readonly string[]>,
): void {
  const failures = new Map<string, readonly string[]>();

  before(async () => {
    const all = Object.entries(broken);
    await Promise.all(all.map(async ([fault, { create }]) => failures.set(fault, await failing(create))));
  });

  for (const [fault, { caughtBy }] of Object.entries(broken)) {
    it(`catches ${what} that ${fault}: ${caughtBy}`, () => {
      expect(failures.get(fault)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: something broken fails it', () => {
    expect([...new Set([...failures.values()].flat())]).to.have.members(Object.keys(checks));
  });
}
