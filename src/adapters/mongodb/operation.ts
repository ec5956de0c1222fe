import { throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { storeUnavailable, translateError } from './errors.js';

/** How long an operation on the database may take, in milliseconds, if nothing else is configured. */
export const DEFAULT_DEADLINE_MS = 5000;

/** The name of an operation on the database. */
export type MongoOperationName =
  | 'pets.add'
  | 'pets.add_once'
  | 'pets.list'
  | 'pets.find'
  | 'pets.records'
  | 'pets.restore'
  | 'ids.reserve'
  | 'keys.look_up'
  | 'keys.add'
  | 'keys.list'
  | 'keys.find'
  | 'keys.replace';

/** An operation on the database that has ended. */
export interface MongoOperation {
  readonly name: MongoOperationName;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  /** What the operation rejected with, if its outcome is not `ok`. */
  readonly error?: unknown;
}

/**
 * Called when an operation on the database has ended, for metrics and logs. Errors that it
 * throws are ignored: they change no call, and do not end the process.
 *
 * `ids.reserve` and `keys.look_up` may run in the background. Not every failure of theirs makes a call of the port fail, so only
 * this function learns of all of them. For the pool of connections, listen to the events of the driver's `MongoClient`, such as
 * `connectionCheckedOut`.
 */
export type MongoObserver = (operation: MongoOperation) => void;

/** The options of every part of the adapter. */
export interface OperationOptions {
  /** After how many milliseconds without an answer an operation rejects with `store_unavailable`. @default 5000 */
  readonly deadlineMs?: number | undefined;
  /** Called when an operation has ended. @default none */
  readonly observe?: MongoObserver | undefined;
}

/** The same options, checked. */
export interface OperationSettings {
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
}

/** An operation under way. */
export interface Operation {
  /** Whether its caller no longer waits. */
  isOver: boolean;
  /** Why it has no result yet. If its deadline passes, this is the cause of its error. */
  obstacle?: unknown;
}

/** Checks the options, and fills in the defaults. @throws TypeError for a deadline that is not an integer from 1 to 2^31 − 1. */
export function operationSettings({ deadlineMs = DEFAULT_DEADLINE_MS, observe }: OperationOptions): OperationSettings {
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > 2 ** 31 - 1) {
    throw new TypeError('deadlineMs must be an integer from 1 to 2147483647');
  }
  return { deadlineMs, observe };
}

/**
 * Runs an operation on the database, and tells the observer how it ended.
 *
 * Rejects with `store_unavailable`, with the original as its `cause`, if the database gives no answer or the deadline passes;
 * with the signal's reason if the driver ends a read because of it; with the original error for everything else. At the deadline, only
 * the caller stops waiting (ADR 11). Does not run the operation if the signal is aborted already; reads pass it on to the driver
 * (`findDocuments`).
 */
export async function runOperation<T>(
  name: MongoOperationName,
  { deadlineMs, observe }: OperationSettings,
  operate: (operation: Operation) => Promise<T>,
  options: CallOptions = {},
): Promise<T> {
  throwIfAborted(options.signal);
  const start = performance.now();
  const operation: Operation = { isOver: false };
  const tell = (ended: Pick<MongoOperation, 'outcome' | 'error'>): void => {
    operation.isOver = true;
    if (observe === undefined) return;
    const call = async (): Promise<void> => observe({ name, ...ended, durationMs: performance.now() - start });
    call().catch(() => undefined);
  };
  try {
    const result = await inTime(operate(operation), deadlineMs, () => {
      throw storeUnavailable(operation.obstacle ?? new Error(`no answer within ${deadlineMs} ms`));
    });
    tell({ outcome: 'ok' });
    return result;
  } catch (reason) {
    const isAborted = outcomeOfRejection(reason, options) === 'aborted';
    const error = isAborted ? reason : translateError(reason);
    tell({ outcome: outcomeOfRejection(error, options), error });
    throw error;
  }
}

/** Settles as a promise does, or as `onLate` ends if the promise takes longer than `ms` milliseconds. */
export async function inTime<T, L>(promise: Promise<T>, ms: number, onLate: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(onLate);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
