import { setTimeout as delay } from 'node:timers/promises';
import { isAnimalStoreError } from '../../domain/errors.js';

/** After how many milliseconds without an answer an attempt is late, so that another one starts beside it. */
const LATE_MS = 500;
const ATTEMPTS = 3;

/**
 * Runs an operation that may safely run more than once, and runs it again while its answer is late: a "hedged request".
 * A connection that went dead keeps the attempt that waits on it, so the next attempt takes another connection. If all
 * attempts so far rejected with `store_unavailable`, the next one starts at once.
 *
 * Resolves or rejects with the first answer; an error counts as one if it is not `store_unavailable`. Rejects with the
 * error of the newest attempt if none was answered. An attempt that is still under way then goes on until its own deadline.
 *
 * @param deadlineMs How long all attempts together may take, in milliseconds.
 * @param attempt Starts one attempt, which must end within the milliseconds given to it.
 */
export async function hedged<T>(deadlineMs: number, attempt: (remainingMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + deadlineMs;
  const answers: Promise<() => T>[] = [];
  let remainingMs = deadlineMs;
  do {
    answers.push(answerOf(attempt(remainingMs)));
    if (await isInTime(Promise.any(answers))) break;
    remainingMs = Math.ceil(end - performance.now());
  } while (answers.length < ATTEMPTS && remainingMs >= 1);
  const answer = await Promise.any(answers).catch((none: unknown) => {
    throw (none as AggregateError).errors.at(-1) as Error;
  });
  return answer();
}

/** Resolves to a function that returns or throws the answer. Rejects if there is none, with `store_unavailable`. */
async function answerOf<T>(running: Promise<T>): Promise<() => T> {
  try {
    const value = await running;
    return () => value;
  } catch (error) {
    if (isAnimalStoreError(error)) throw error;
    return () => {
      throw error;
    };
  }
}

/** Whether there is an answer before it is late. */
async function isInTime(answer: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([answer.then(() => true), delay(LATE_MS, false, { signal: timer.signal })]);
  } catch {
    return false;
  } finally {
    timer.abort();
  }
}
