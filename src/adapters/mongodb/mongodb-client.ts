import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { beforeDeadline, DEFAULT_DEADLINE_MS, withDeadline } from './deadline.js';

export type { Db, MongoClient };

/** The database that is used if the URL names none. */
const DEFAULT_DATABASE = 'animal-store';

/** How much longer than an operation the monitoring of a server waits for an answer, in milliseconds. */
const MONITORING_PATIENCE_MS = 1000;

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
 * @throws TypeError if the URL or an option is malformed. Its message repeats neither, because a URL may contain a password.
 */
export function createMongoClient(url: string, options: CreateMongoClientOptions = {}): MongoClient {
  const { deadlineMs = DEFAULT_DEADLINE_MS, ...driverOptions } = options;
  try {
    const given = optionNamesIn(url);
    const defaults = Object.entries(mongoClientOptions(deadlineMs)).filter(([name]) => !given.has(name.toLowerCase()));
    return new MongoClient(url, { ...Object.fromEntries(defaults), ...driverOptions });
  } catch {
    throw new TypeError(`the MongoDB URL or an option beside it is malformed: the URL ${URL_RULE}`);
  }
}

const URL_RULE =
  'must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], with reserved characters percent-encoded';

/** What MongoDB does not accept in the name of a database: the characters, and more than 63 bytes. */
const FORBIDDEN_IN_NAME = /[\0/\\. "$]/;
const NAME_MAX_BYTES = 63;
const NAME_RULE = `must name a database of at most ${NAME_MAX_BYTES} bytes, without the characters / \\ . " $, space and NUL`;

/**
 * Checks the URL of a deployment and a database. Returns the rule that it breaks, which begins with "must" and repeats nothing
 * of the URL; `undefined` if the URL, its options and the name of its database are well-formed.
 */
export function errorOfMongodbUrl(url: string): string | undefined {
  try {
    createMongoClient(url);
  } catch {
    return URL_RULE;
  }
  const name = databaseNameOf(url);
  return FORBIDDEN_IN_NAME.test(name) || Buffer.byteLength(name) > NAME_MAX_BYTES ? NAME_RULE : undefined;
}

/** The name of the database in a well-formed URL, as the driver reads it. @returns `animal-store` if the URL has none. */
export function databaseNameOf(url: string): string {
  return decodeURIComponent(behindHosts(url).pathname.slice(1)) || DEFAULT_DATABASE;
}

/** The names of the options in a URL, in lower case: the driver ignores case. */
function optionNamesIn(url: string): ReadonlySet<string> {
  return new Set([...behindHosts(url).searchParams.keys()].map((name) => name.toLowerCase()));
}

const SCHEME_AND_HOSTS = /^([a-z+]+:\/\/)[^/?#]*/i;

/** The URL with one host in place of its list of hosts, which `URL` does not take. The driver checks the rest. */
function behindHosts(url: string): URL {
  return new URL(url.replace(SCHEME_AND_HOSTS, '$1host'));
}

/** Resolves once the primary has answered. Rejects with `store_unavailable` if it does not within the deadline. */
export async function ping(db: Db, deadlineMs = 2000): Promise<void> {
  await withDeadline(deadlineMs, async ({ signal }) => db.command({ ping: 1 }, { readPreference: 'primary', signal }));
}
