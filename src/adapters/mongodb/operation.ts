import type { CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import { storeUnavailable, unavailableIfNoAnswer } from './unavailable-errors.js';

/** How long an operation on the database may take, in milliseconds, if nothing else is configured. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How long a call waits for the look-up of its API key, in milliseconds, if nothing else is configured. */
export const DEFAULT_VERIFY_DEADLINE_MS = 2000;

/** The part of a deadline after which the server and the driver give up, so that their answer arrives before ours. */
const EARLY = 0.9;

/** What bounds an operation. */
export interface OperationLimits {
  /** Aborted when the deadline has passed, or the caller has cancelled the operation. */
  readonly signal: AbortSignal;
  /** Bounds a call of the driver that starts now. @throws if {@link signal} is aborted: nothing may be sent then. */
  startCall(): CallLimits;
}

/** What bounds one call of the driver, as a part of its options. */
export interface CallLimits {
  /** After how many milliseconds the server gives up: a little before the client does. */
  readonly maxTimeMS: number;
  /** Ends the call with the operation. The driver heeds it in every operation. */
  readonly signal: AbortSignal;
}

/** The time, in milliseconds, after which the server or the driver gives up an operation with this deadline. */
export function beforeDeadline(deadlineMs: number): number {
  return Math.max(1, Math.floor(deadlineMs * EARLY));
}

/** Those of operations that succeeded in time, to be used again. */
const idleControllers: AbortController[] = [];

/** Its signal has a listener that stays, because the driver's would cost twice as much if each were the first one. */
function newController(): AbortController {
  const controller = new AbortController();
  controller.signal.addEventListener('abort', () => undefined);
  return controller;
}

/**
 * Runs one operation on the database, and ends it when its deadline has passed or its caller cancels it.
 *
 * Rejects with an `AnimalStoreError` `store_unavailable`, with the original as its `cause`, if the database gave no answer;
 * with the caller's reason if the caller cancels it; with the original error, untouched, for everything else.
 */
export function withDeadline<T>(
  deadlineMs: number,
  operate: (limits: OperationLimits) => Promise<T>,
  { signal: callers }: CallOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    callers?.throwIfAborted();
    const endsAt = performance.now() + deadlineMs;
    const controller = idleControllers.pop() ?? newController();
    const { signal } = controller;
    const end = (error: Error): void => {
      settle();
      controller.abort(error);
      reject(error);
    };
    const cancel = (): void => end(callers?.reason as Error);
    const timer = setTimeout(() => end(storeUnavailable(new Error(`no answer within ${deadlineMs} ms`))), deadlineMs);
    callers?.addEventListener('abort', cancel);
    const settle = (): void => {
      clearTimeout(timer);
      callers?.removeEventListener('abort', cancel);
    };
    // A function, not a getter: a getter gives each object its own hidden class.
    const startCall = (): CallLimits => {
      signal.throwIfAborted();
      return { maxTimeMS: beforeDeadline(endsAt - performance.now()), signal };
    };
    operate({ signal, startCall }).then(
      (result) => {
        settle();
        // After the deadline, or if one of several calls failed, a call may still listen to the signal.
        if (!signal.aborted) idleControllers.push(controller);
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(unavailableIfNoAnswer(error));
      },
    );
  });
}

/** The name of an operation on the database. */
export type MongoOperationName =
  | 'pets.add'
  | 'pets.add_once'
  | 'pets.add_many_once'
  | 'pets.list'
  | 'pets.find'
  | 'pets.restore'
  | 'creations.list'
  | 'creations.restore'
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
  /** How many ids were asked for (`ids.reserve`), or how many keys (`keys.look_up`); 1 for every other operation. */
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

/** The same options, as the parts of the adapter hand them on. */
export interface OperationSettings {
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
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
 * Runs an operation on the database within its deadline, as `withDeadline` does, and tells the observer how it ended.
 *
 * @param operation `count` is how many ids or keys it asks for. @default 1
 */
export function runOperation<T>(
  { name, count = 1 }: { readonly name: MongoOperationName; readonly count?: number },
  { deadlineMs, observe }: OperationSettings,
  operate: (limits: OperationLimits) => Promise<T>,
  options?: CallOptions,
): Promise<T> {
  const start = observe === undefined ? 0 : performance.now();
  const running = withDeadline(deadlineMs, operate, options);
  if (observe !== undefined) {
    running.then(
      () => observe({ name, count, outcome: 'ok', durationMs: performance.now() - start }),
      (error: unknown) =>
        observe({
          name,
          count,
          outcome: outcomeOfRejection(error, options),
          error,
          durationMs: performance.now() - start,
        }),
    );
  }
  return running;
}

/** How much longer than the last answer took an attempt waits for one. */
const MARGIN = 2;

/**
 * Runs operations that may safely run more than once, in attempts one after the other, while they reject with
 * `store_unavailable`. All but the last one are short: an attempt whose deadline has passed closes its connection, so one that
 * went dead delays the operation by no more. The last one has all the time that is left.
 *
 * If the database is so slow that short attempts would end before its answers, there are fewer and longer ones: each may take
 * twice as long as the last answer took, and after an operation without an answer, the next one is a single attempt.
 */
export class Attempts {
  readonly #shortMs: readonly number[];
  /** How long the last answer took, in milliseconds; `Infinity` if there was none. */
  #lastMs = 0;

  /** @param shortMs How long each attempt but the last may take, in milliseconds: far longer than a healthy database needs. */
  constructor(shortMs: readonly number[] = [500, 1000]) {
    this.#shortMs = shortMs;
  }

  /**
   * Runs an operation.
   *
   * @param deadlineMs How long all attempts together may take, in milliseconds.
   * @param attempt Runs one attempt, which must end within the milliseconds given to it.
   */
  async run<T>(deadlineMs: number, attempt: (limitMs: number) => Promise<T>): Promise<T> {
    const end = performance.now() + deadlineMs;
    const leftMs = (): number => Math.max(1, Math.ceil(end - performance.now()));
    const leastMs = Math.ceil(this.#lastMs * MARGIN);
    for (const shortMs of this.#shortMs) {
      const limitMs = Math.max(shortMs, leastMs);
      if (leftMs() <= limitMs) break;
      try {
        return await this.#timed(attempt(limitMs));
      } catch (error) {
        if (!isAnimalStoreError(error)) throw error;
      }
    }
    try {
      return await this.#timed(attempt(leftMs()));
    } catch (error) {
      if (isAnimalStoreError(error)) this.#lastMs = Infinity;
      throw error;
    }
  }

  async #timed<T>(answer: Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await answer;
    this.#lastMs = performance.now() - start;
    return result;
  }
}
