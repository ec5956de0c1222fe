import { isAnimalStoreError } from '../../domain/errors.js';

/** Node's codes. The driver passes these errors on as they are. */
const LOST_CONNECTION_CODE =
  /^(E(PIPE|MFILE|NFILE|TIMEDOUT|AI_AGAIN|NOTFOUND|NOENT|ADDRNOTAVAIL|(CONN|HOST|NET)[A-Z]+)|ERR_STREAM_[A-Z_]+|ERR_SOCKET_CLOSED)$/;

/** The driver's own errors, which have no code. */
const LOST_CONNECTION_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'timeout expired',
]);

/** The driver's error if a statement has no answer within `query_timeout`. */
const NO_ANSWER = 'Query read timeout';

/** The driver's error if no connection becomes free within `connectionTimeoutMillis`. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/** The server's errors that end a connection, by their names in PostgreSQL's list; those of class 08 do so, too. */
const LOST_CONNECTION_STATES: ReadonlySet<unknown> = new Set(
  Object.values({
    admin_shutdown: '57P01',
    crash_shutdown: '57P02',
    cannot_connect_now: '57P03',
    database_dropped: '57P04',
    idle_session_timeout: '57P05',
    idle_in_transaction_session_timeout: '25P03',
    transaction_timeout: '25P04',
  }),
);

const UNAVAILABLE_STATES: ReadonlySet<unknown> = new Set(
  Object.values({
    // An operator has made the primary read-only.
    read_only_sql_transaction: '25006',
    statement_completion_unknown: '40003',
    deadlock_detected: '40P01',
    too_many_connections: '53300',
    lock_not_available: '55P03',
    // `statement_timeout`, or an operator.
    query_canceled: '57014',
  }),
);

/** A SQLSTATE from the server, a name from Node. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
}

/** The server may have carried out what was sent on the connection. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || isAnimalStoreError(error)) return false;
  const code = codeOf(error);
  if (typeof code !== 'string') return LOST_CONNECTION_MESSAGES.has(error.message) || isSilence(error);
  return LOST_CONNECTION_CODE.test(code) || LOST_CONNECTION_STATES.has(code) || /^08\w{3}$/.test(code);
}

export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === NO_ANSWER;
}

export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === NO_FREE_CONNECTION;
}

export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof StandbyError ||
    isPoolFull(error) ||
    isLostConnection(error) ||
    UNAVAILABLE_STATES.has(codeOf(error))
  );
}

/** The server is a standby, which takes no writes and may be behind. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';

  constructor() {
    super('it is a standby');
  }
}
