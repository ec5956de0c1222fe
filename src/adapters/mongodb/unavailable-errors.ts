import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';

/**
 * The driver's errors that mean "no answer", by name: `instanceof` would miss the errors of another copy of the driver,
 * and some of its classes are not exported. A failed write concern is one of them: the write may have happened, but no
 * majority has confirmed it.
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

/** Those of them that mean that a connection was lost, or that the driver closed its pool because one was. */
const LOST_CONNECTION_NAMES: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
]);

/** The server's errors that mean that it cannot answer now but another server may, by their names in MongoDB's list. */
const CANNOT_ANSWER_NOW_CODES: ReadonlySet<unknown> = new Set(
  Object.values({
    // It cannot reach the rest of its replica set or cluster.
    HostUnreachable: 6,
    HostNotFound: 7,
    NetworkTimeout: 89,
    SocketException: 9001,
    ReadConcernMajorityNotAvailableYet: 134,
    // It shuts down, steps down, or is not the primary.
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

/** Its errors that mean "no answer", too. */
const NO_ANSWER_CODES: ReadonlySet<unknown> = new Set([
  ...CANNOT_ANSWER_NOW_CODES,
  ...Object.values({
    UnsatisfiableWriteConcern: 100,
    FailedToSatisfyReadPreference: 133,
    // It ran out of time, or sheds load.
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
]);

/** Node's codes for a lost connection; its streams report them without a system call. */
const NO_ANSWER_NODE_CODE = /^(E[A-Z]{3,}|ERR_STREAM_(DESTROYED|PREMATURE_CLOSE|WRITE_AFTER_END)|ERR_SOCKET_CLOSED)$/;

const NO_ANSWER_LABELS = ['RetryableError', 'RetryableWriteError', 'SystemOverloadedError'];

/** The code of an error of the server (a number) or of Node (a text), if it has one. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
}

/** Whether an error of the driver, of the server, or of the network below them means that the database gave no answer. */
export function meansNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errorLabels } = error as { readonly errorLabels?: unknown };
  return (
    NO_ANSWER_NAMES.has(error.name) ||
    NO_ANSWER_CODES.has(codeOf(error)) ||
    isOfNetwork(error) ||
    (Array.isArray(errorLabels) && NO_ANSWER_LABELS.some((label) => errorLabels.includes(label)))
  );
}

/** Whether it is an error of Node for a lost connection. The driver passes that of a write on as it is. */
function isOfNetwork(error: Error): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (isFileError(error)) return false;
  return typeof syscall === 'string' || (typeof code === 'string' && NO_ANSWER_NODE_CODE.test(code));
}

/**
 * Whether an error of the driver, or a `store_unavailable` because of it, means that a connection was lost. The driver then
 * looks for the server again, so another attempt may succeed.
 */
export function meansLostConnection(error: unknown): boolean {
  if (isAnimalStoreError(error)) return meansLostConnection(error.cause);
  return error instanceof Error && (LOST_CONNECTION_NAMES.has(error.name) || isOfNetwork(error));
}

/** Whether an error says that a connection was lost, or that the server is not a primary: a read may be tried again immediately. */
export function mayRetryAtOnce(error: unknown): boolean {
  return meansLostConnection(error) || CANNOT_ANSWER_NOW_CODES.has(codeOf(error));
}

/** Whether a file that the driver needs, such as that of `tlsCAFile`, cannot be read. */
export function isFileError(error: unknown): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  return error instanceof Error && (syscall === 'open' || (syscall === 'read' && code === 'EISDIR'));
}

/** A server that answers, but that the adapter can never use. `message` says why. */
export class UnusableServerError extends Error {
  override readonly name = 'UnusableServerError';
}

/** Codes of TLS: a port without TLS, a certificate that is not accepted, a file that holds no certificate. */
const TLS_CODE = /^(EPROTO$|ERR_(SSL|TLS|OSSL)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Codes with which a name server denies that a name exists. */
const NO_SUCH_NAME = /^(ENOTFOUND|ENODATA)$/;

/** The error that waiting cannot change, among an error and its causes. */
export function lastingCauseOf(error: unknown): Error | undefined {
  // The cause of a failed selection is the failure of one server; others may answer yet.
  if (!(error instanceof Error) || error.name === 'MongoServerSelectionError') return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isLasting =
    error instanceof UnusableServerError ||
    isFileError(error) ||
    TLS_CODE.test(String(code)) ||
    (syscall === 'querySrv' && NO_SUCH_NAME.test(String(code)));
  return isLasting ? error : lastingCauseOf(error.cause);
}

/** The error of an operation: `store_unavailable` if the database gave no answer, otherwise itself. */
export function unavailableIfNoAnswer(error: unknown): Error {
  return meansNoAnswer(error) ? storeUnavailable(error) : (error as Error);
}

/** The error of an operation without an answer that can be used. */
export function storeUnavailable(cause: unknown): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'the store did not answer in time', { cause });
}
