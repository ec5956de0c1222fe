/** By name, because `instanceof` would miss the errors of another copy of the driver, such as that of Mongoose. */
const LOST_CONNECTION_NAMES: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
]);

/** After a failed write concern, no majority has confirmed the write. */
const UNANSWERED_NAMES: ReadonlySet<string> = new Set([
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoServerSelectionError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
]);

/** Node's codes. The driver passes on some of these errors as they are. */
const LOST_CONNECTION_CODE =
  /^(E(PIPE|MFILE|NFILE|TIMEDOUT|AI_AGAIN|NOTFOUND|ADDRNOTAVAIL|(CONN|HOST|NET)[A-Z]+)|ERR_STREAM_[A-Z_]+|ERR_SOCKET_CLOSED)$/;

/** The server's errors after which another server may answer, by their names in MongoDB's list. */
const CANNOT_ANSWER_NOW_CODES: ReadonlySet<unknown> = new Set(
  Object.values({
    HostUnreachable: 6,
    HostNotFound: 7,
    NetworkTimeout: 89,
    SocketException: 9001,
    ReadConcernMajorityNotAvailableYet: 134,
    ShutdownInProgress: 91,
    PrimarySteppedDown: 189,
    InterruptedAtShutdown: 11600,
    InterruptedDueToReplStateChange: 11602,
    LegacyNotPrimary: 10058,
    NotWritablePrimary: 10107,
    NotPrimaryNoSecondaryOk: 13435,
    NotPrimaryOrSecondary: 13436,
  }),
);

/** Its other errors that mean that the database did not answer. */
const UNANSWERED_CODES: ReadonlySet<unknown> = new Set(
  Object.values({
    UnsatisfiableWriteConcern: 100,
    FailedToSatisfyReadPreference: 133,
    LockTimeout: 24,
    MaxTimeMSExpired: 50,
    WriteConcernTimeout: 64,
    NetworkInterfaceExceededTimeLimit: 202,
    ExceededTimeLimit: 262,
    TemporarilyUnavailable: 365,
    // An operator ended the operation, or dropped or moved what its plan used.
    Interrupted: 11601,
    QueryPlanKilled: 175,
  }),
);

const UNANSWERED_LABELS = ['RetryableError', 'RetryableWriteError', 'SystemOverloadedError'];

const DUPLICATE_KEY = 11000;

/**
 * The driver wraps whatever ends an `insertMany` in a `MongoBulkWriteError`: duplicate keys (with `writeErrors`), a failed write
 * concern, an error of the server (with its `code`), and a lost connection (with neither).
 */
interface BulkWriteError extends Error {
  readonly code?: unknown;
  readonly writeErrors: readonly BulkWriteFault[] | BulkWriteFault;
  readonly result: { getWriteConcernError(): unknown };
}

interface BulkWriteFault {
  readonly index: number;
  readonly code: number;
  readonly errmsg?: string | undefined;
}

/** A number from the server, a text from Node. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isBulkWriteError(error)) {
    if (error.result.getWriteConcernError() !== undefined) return true;
    if (error.code === undefined && [error.writeErrors].flat().length === 0) return true;
  }
  const { errorLabels } = error as { readonly errorLabels?: unknown };
  return (
    isRetryable(error) ||
    UNANSWERED_NAMES.has(error.name) ||
    UNANSWERED_CODES.has(codeOf(error)) ||
    (Array.isArray(errorLabels) && UNANSWERED_LABELS.some((label) => errorLabels.includes(label)))
  );
}

/** A read may be tried again immediately. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    LOST_CONNECTION_NAMES.has(error.name) ||
    CANNOT_ANSWER_NOW_CODES.has(code) ||
    (typeof code === 'string' && LOST_CONNECTION_CODE.test(code))
  );
}

export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY;
}

/** For an unordered `insertMany`: a majority has stored all documents that are neither returned nor passed to `onRefused`. */
export function duplicatesIn(error: unknown, onRefused: (index: number, error: Error) => void): number[] {
  if (!(error instanceof Error) || !isBulkWriteError(error)) throw error;
  const faults = [error.writeErrors].flat();
  if (faults.length === 0 || error.result.getWriteConcernError() !== undefined) throw error;
  const duplicates: number[] = [];
  for (const { index, code, errmsg } of faults) {
    if (code === DUPLICATE_KEY) duplicates.push(index);
    else onRefused(index, Object.assign(new Error(errmsg, { cause: error }), { code }));
  }
  return duplicates;
}

function isBulkWriteError(error: Error): error is BulkWriteError {
  return error.name === 'MongoBulkWriteError';
}
