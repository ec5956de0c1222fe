/** A subject that breaks one sentence of a port, and the check of the suite that must notice. */
export interface Broken<Create> {
  readonly create: Create;
  readonly caughtBy: string;
}

/** Broken subjects by their fault, from those that each check must notice. */
export function byFault<Create>(
  byCheck: Readonly<Record<string, Readonly<Record<string, Create>>>>,
): Readonly<Record<string, Broken<Create>>> {
  return Object.fromEntries(
    Object.entries(byCheck).flatMap(([caughtBy, creates]) =>
      Object.entries(creates).map(([fault, create]) => [fault, { create, caughtBy }]),
    ),
  );
}
