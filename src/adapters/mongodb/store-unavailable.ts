import { AnimalStoreError } from '../../domain/errors.js';

/** How long an operation on the store may take, in milliseconds, where nothing else was asked for. */
export const DEFAULT_DEADLINE_MS = 5000;

/**
 * The driver's errors that mean "no answer", by their names: `instanceof` would miss those of another copy of the
 * driver, and some of its classes are not exported. A write concern that failed belongs here: the write may have
 * happened, but nobody vouches for it.
 */
const NO_ANSWER_NAMES: ReadonlySet<string> = new Set([
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'PoolClearedOnNetworkError',
]);

/**
 * The server's error codes that mean the same: it shuts down, steps down, is no primary, ran out of time, cannot reach
 * the rest of its replica set or cluster, or sheds load.
 */
const NO_ANSWER_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 24, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 365, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
]);

/** Node's own codes for a connection that is gone; its streams give them without a system call. */
const NO_ANSWER_NODE_CODE = /^(E[A-Z]{3,}|ERR_STREAM_(DESTROYED|PREMATURE_CLOSE|WRITE_AFTER_END)|ERR_SOCKET_CLOSED)$/;

const NO_ANSWER_LABELS = ['RetryableError', 'RetryableWriteError', 'SystemOverloadedError'];

/** What bounds an operation, to be among the options that the driver gets: it heeds the signal in every operation. */
export interface Limits {
  /** After how long the server itself gives up. */
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
}

/**
 * Runs one operation on the store, and ends it when its deadline has passed.
 *
 * Rejects with an `AnimalStoreError` `store_unavailable`, the original as its `cause`, for whatever means that the store
 * gave no answer; with the original error, untouched, for everything else.
 */
export async function withDeadline<T>(deadlineMs: number, operate: (limits: Limits) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = storeUnavailable(new Error(`no answer within ${deadlineMs} ms`));
      controller.abort(error);
      reject(error);
    }, deadlineMs);
  });
  try {
    return await Promise.race([operate({ maxTimeMS: deadlineMs, signal: controller.signal }), expired]);
  } catch (error) {
    throw isNoAnswer(error) ? storeUnavailable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether an error of the driver, of the server, or of the network below means that the store gave no answer. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall, errorLabels } = error as { code?: unknown; syscall?: unknown; errorLabels?: unknown };
  return (
    NO_ANSWER_NAMES.has(error.name) ||
    NO_ANSWER_CODES.has(code) ||
    typeof syscall === 'string' ||
    (typeof code === 'string' && NO_ANSWER_NODE_CODE.test(code)) ||
    (Array.isArray(errorLabels) && NO_ANSWER_LABELS.some((label) => errorLabels.includes(label)))
  );
}

function storeUnavailable(cause: unknown): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'the store did not answer in time', { cause });
}
