import { MongoClient, type Db, type Document, type MongoClientOptions } from 'mongodb';
import { beforeDeadline, DEFAULT_DEADLINE_MS, withDeadline } from './operation.js';
import { codeOf, storeUnavailable, UnusableServerError } from './unavailable-errors.js';
import { errorOfForm, optionNamesIn } from './mongodb-url.js';

export type { Db, MongoClient };

/** How much longer than an operation the monitoring of a server waits for an answer, in milliseconds. */
const MONITORING_PATIENCE_MS = 1000;

const COMMAND_NOT_FOUND = 59;

/** How often a server is checked, in milliseconds. */
const HEARTBEAT_FREQUENCY_MS = 1000;

/** The options of a client: the deadline, and every option of the driver, which overrides that of the URL. */
export interface CreateMongoClientOptions extends MongoClientOptions {
  /** The deadline of the operations on this client, in milliseconds, which its time-outs go by. @default 5000 */
  readonly deadlineMs?: number;
}

/**
 * The time-outs of the driver that suit operations with a deadline:
 *
 * - The driver waits for a primary, or for a free connection, almost as long as the operation may take. So an operation
 *   outlasts an election that is shorter than its deadline, and its error tells what was missing.
 * - Monitoring is more patient than an operation. Otherwise a pause of the server that each operation could outlast
 *   would make the driver close the connections of all of them.
 * - After a lost connection, the driver looks for the server again within half a second: its own default,
 *   `minHeartbeatFrequencyMS`. A server that has no `topologyVersion` needs another value (ADR 21).
 */
function mongoClientOptions(deadlineMs: number): MongoClientOptions {
  return {
    appName: 'animal-store',
    serverSelectionTimeoutMS: beforeDeadline(deadlineMs),
    waitQueueTimeoutMS: beforeDeadline(deadlineMs),
    connectTimeoutMS: deadlineMs + MONITORING_PATIENCE_MS,
    heartbeatFrequencyMS: HEARTBEAT_FREQUENCY_MS,
  };
}

/**
 * Makes a client that is not connected yet, with the options of `mongoClientOptions` unless the URL or `options`
 * say otherwise.
 *
 * Call `connect` before the first operation, until it succeeds, or use `connectMongoClient`, which does so. The driver connects
 * for the first operation by itself, but if that fails, every later operation fails until `connect` is called.
 *
 * @throws TypeError if the URL or an option is malformed, or asks for `useBigInt64`, with which a step-down ends the process. Its
 * message repeats no value, because a URL may contain a password.
 */
export function createMongoClient(url: string, options: CreateMongoClientOptions = {}): MongoClient {
  const { deadlineMs = DEFAULT_DEADLINE_MS, ...driverOptions } = options;
  const error = errorOfForm(url);
  if (error !== undefined) throw new TypeError(`the MongoDB URL ${error}`);
  if (options.useBigInt64 === true) throw new TypeError('useBigInt64 must not be an option of the client');
  const given = optionNamesIn(url);
  const defaults = Object.entries(mongoClientOptions(deadlineMs)).filter(([name]) => !given.has(name.toLowerCase()));
  try {
    return new MongoClient(url, { ...Object.fromEntries(defaults), ...driverOptions });
  } catch {
    throw new TypeError('an option beside the MongoDB URL is malformed');
  }
}

/**
 * Resolves once the primary has answered. Rejects with `store_unavailable` if it does not within the deadline. With
 * `directConnection` the driver asks a secondary, too: then it rejects so as well. The cause is an {@link UnusableServerError} if
 * another server is the primary.
 */
export async function ping(db: Db, deadlineMs = 2000): Promise<void> {
  await ask(db, { ping: 1 }, deadlineMs);
  if (!db.client.options.directConnection) return;
  const { isWritablePrimary = true, primary } = await helloOf(db, deadlineMs);
  if (isWritablePrimary === true) return;
  const reason = 'the server is not the primary, and directConnection keeps the driver from looking for it';
  throw storeUnavailable(primary === undefined ? new Error(reason) : new UnusableServerError(reason));
}

/**
 * What the server says of itself: the reply to `hello`, without members if it is older than MongoDB 4.4 and does not know the command.
 *
 * @param deadlineMs How long it may take, in milliseconds.
 */
export async function helloOf(db: Db, deadlineMs: number): Promise<Document> {
  try {
    return await ask(db, { hello: 1 }, deadlineMs);
  } catch (error) {
    if (codeOf(error) === COMMAND_NOT_FOUND) return {};
    throw error;
  }
}

async function ask(db: Db, command: Document, deadlineMs: number): Promise<Document> {
  return withDeadline(deadlineMs, async ({ signal }) => db.command(command, { signal }));
}
