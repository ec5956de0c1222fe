import { throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { boundedCall, type BoundedCall } from '../kit/bounded-call.js';
import { isUnavailable } from './errors.js';

export const DEFAULT_DEADLINE_MS = 5000;

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
  /** After how many milliseconds without a result an operation rejects with `store_unavailable`. @default 5000 */
  readonly deadlineMs?: number | undefined;
  /** Called when an operation has ended. @default none */
  readonly observe?: MongoObserver | undefined;
}

export interface OperationSettings {
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
}

export function operationSettings({ deadlineMs = DEFAULT_DEADLINE_MS, observe }: OperationOptions): OperationSettings {
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > 2 ** 31 - 1) {
    throw new TypeError('deadlineMs must be an integer from 1 to 2147483647');
  }
  return { deadlineMs, observe };
}

/** The observer learns of no operation whose signal was aborted before it began. */
export async function runOperation<T>(
  name: MongoOperationName,
  { deadlineMs, observe }: OperationSettings,
  operate: (call: BoundedCall) => Promise<T>,
  { signal }: CallOptions = {},
): Promise<T> {
  throwIfAborted(signal);
  const start = performance.now();
  const tell = (ended: Pick<MongoOperation, 'outcome' | 'error'>): void => {
    if (observe === undefined) return;
    const call = async (): Promise<void> => observe({ name, ...ended, durationMs: performance.now() - start });
    call().catch(() => undefined);
  };
  try {
    const result = await boundedCall({ deadlineMs, isUnavailable, signal }, operate);
    tell({ outcome: 'ok' });
    return result;
  } catch (error) {
    tell({ outcome: outcomeOfRejection(error, { signal }), error });
    throw error;
  }
}
