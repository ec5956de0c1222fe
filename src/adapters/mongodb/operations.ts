import { outcomeOf, type Outcome } from '../../domain/outcome.js';
import { withDeadline, type Limits } from './deadline.js';

/** The name of an operation on the database. */
export type MongoOperationName =
  | 'pets.add'
  | 'pets.add_once'
  | 'pets.list'
  | 'pets.find'
  | 'ids.reserve'
  | 'keys.look_up'
  | 'keys.add'
  | 'keys.list'
  | 'keys.find'
  | 'keys.replace';

/** An operation on the database that has ended. */
export interface MongoOperation {
  readonly name: MongoOperationName;
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** How many ids were asked for (`ids.reserve`), or how many keys (`keys.look_up`); 1 for every other. */
  readonly count: number;
  /** What the operation rejected with, if its outcome is not `ok`. */
  readonly error?: unknown;
}

/**
 * Called when an operation on the database has ended, for metrics and logs. It must not throw.
 *
 * `ids.reserve` and `keys.look_up` may run in the background and may be tried again. Not every failure of theirs makes a
 * call of the port fail, so only this function learns of all of them. For the pool of connections, listen to the events of the
 * driver's `MongoClient`, such as `connectionCheckedOut`.
 */
export type MongoObserver = (operation: MongoOperation) => void;

/** The options that every part of the adapter has. */
export interface OperationOptions {
  /** After how many milliseconds without an answer an operation rejects with `store_unavailable`. @default 5000 */
  readonly deadlineMs?: number;
  /** Called when an operation has ended. @default none */
  readonly observe?: MongoObserver;
}

/**
 * Runs an operation on the database within its deadline, as `withDeadline` does, and tells the observer how it ended.
 *
 * @param operation `count` is how many ids or keys it asks for. @default 1
 */
export function runOperation<T>(
  operation: { readonly name: MongoOperationName; readonly count?: number },
  { deadlineMs, observe }: { readonly deadlineMs: number; readonly observe: MongoObserver | undefined },
  operate: (limits: Limits) => Promise<T>,
): Promise<T> {
  const run = (): Promise<T> => withDeadline(deadlineMs, operate);
  return observe === undefined ? run() : observed(run, operation, observe);
}

async function observed<T>(
  run: () => Promise<T>,
  operation: { readonly name: MongoOperationName; readonly count?: number },
  observe: MongoObserver,
): Promise<T> {
  const start = performance.now();
  const tell = (end: Pick<MongoOperation, 'outcome' | 'error'>): void =>
    observe({ count: 1, ...operation, ...end, durationMs: performance.now() - start });
  try {
    const result = await run();
    tell({ outcome: 'ok' });
    return result;
  } catch (error) {
    tell({ outcome: outcomeOf(error), error });
    throw error;
  }
}
