import { addAbortListener, removeAbortListener } from '../../application/abortable.js';
import { reasonOf, throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { storeUnavailable, translateError } from './errors.js';

/** How long an operation on the database may take, in milliseconds, if nothing else is configured. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How long a call waits for the look-up of its API key, in milliseconds, if nothing else is configured. */
export const DEFAULT_VERIFY_DEADLINE_MS = 2000;

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
 * Called when an operation on the database has ended, for metrics and logs. What it throws is dropped, and logged
 * nowhere: it changes no call, and does not end the process.
 *
 * `ids.reserve` and `keys.look_up` may run in the background. Not every failure of theirs makes a call of the port fail, so only
 * this function learns of all of them. For the pool of connections, listen to the events of the driver's `MongoClient`, such as
 * `connectionCheckedOut`.
 */
export type MongoObserver = (operation: MongoOperation) => void;

/** The options that every part of the adapter has. */
export interface OperationOptions {
  /** After how many milliseconds without an answer an operation rejects with `store_unavailable`. @default 5000 */
  readonly deadlineMs?: number | undefined;
  /** Called when an operation has ended. @default none */
  readonly observe?: MongoObserver | undefined;
}

/** The same options, as the parts of the adapter hand them on. */
export interface OperationSettings {
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
}

/** An operation under way. */
export interface Operation {
  /** Whether its caller no longer waits: it has a result, its deadline has passed, or it was cancelled. */
  isOver: boolean;
  /** Aborted with the caller's signal, if there is one. The driver adds listeners to it, and Node 20 warns of more than ten. */
  readonly signal: AbortSignal | undefined;
  /** Why it has no result yet. If its deadline passes, this is the cause of its error. */
  obstacle?: unknown;
}

/** Checks the options that every part has, and fills in the defaults. @throws TypeError for a deadline that is no integer from 1 to 2^31 − 1. */
export function operationSettings({ deadlineMs = DEFAULT_DEADLINE_MS, observe }: OperationOptions): OperationSettings {
  checkIntegers({ deadlineMs });
  return { deadlineMs, observe };
}

/**
 * Checks options that are spans of time or numbers of things.
 *
 * @throws TypeError for a value that is not an integer from `minimum` to 2^31 − 1.
 */
export function checkIntegers(options: Readonly<Record<string, number>>, minimum = 1): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isInteger(value) || value < minimum || value > 2 ** 31 - 1) {
      throw new TypeError(`${name} must be an integer from ${minimum} to 2147483647`);
    }
  }
}

/**
 * Runs an operation on the database, and tells the observer how it ended.
 *
 * Rejects with an `AnimalStoreError` `store_unavailable`, with the original as its `cause`, if the database gives no answer or the
 * deadline passes; with the caller's reason if the caller cancels it; with the original error, untouched, for everything else. At the
 * deadline only the caller stops waiting: the time-outs of the client end what the driver still does (`createMongoClient`).
 */
export function runOperation<T>(
  name: MongoOperationName,
  { deadlineMs, observe }: OperationSettings,
  operate: (operation: Operation) => Promise<T>,
  options: CallOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    throwIfAborted(signal);
    const start = observe === undefined ? 0 : performance.now();
    const controller = signal ? new AbortController() : undefined;
    const operation: Operation = { isOver: false, signal: controller?.signal };
    const end = (): void => {
      operation.isOver = true;
      clearTimeout(timer);
      if (signal) removeAbortListener(signal, cancel);
    };
    const tell = (ended: Pick<MongoOperation, 'outcome' | 'error'>): void => {
      if (observe === undefined) return;
      const call = async (): Promise<void> => observe({ name, ...ended, durationMs: performance.now() - start });
      // In a timer or a listener, what it throws would end the process.
      call().catch(() => undefined);
    };
    const fail = (error: Error): void => {
      if (operation.isOver) return;
      end();
      reject(error);
      tell({ outcome: outcomeOfRejection(error, options), error });
    };
    const cancel = (): void => {
      const reason = reasonOf(signal as AbortSignal);
      fail(reason as Error);
      controller?.abort(reason);
    };
    const timer = setTimeout(() => {
      fail(storeUnavailable(operation.obstacle ?? new Error(`no answer within ${deadlineMs} ms`)));
    }, deadlineMs);
    if (signal) addAbortListener(signal, cancel);
    operate(operation).then(
      (result) => {
        if (operation.isOver) return;
        end();
        resolve(result);
        tell({ outcome: 'ok' });
      },
      (error: unknown) => fail(translateError(error)),
    );
  });
}
