import { MongoClient, MongoServerSelectionError, type Db, type MongoClientOptions } from 'mongodb';
import { isRetryable } from './errors.js';
import { DEFAULT_DEADLINE_MS } from './operation.js';

export type { Db, MongoClient };

/** The options of a client: the deadline, and every option of the driver, which overrides that of the URL. */
export interface CreateMongoClientOptions extends MongoClientOptions {
  /** The deadline of the operations on this client, in milliseconds, from which its time-outs are derived. @default 5000 */
  readonly deadlineMs?: number | undefined;
}

const DEFAULT_DATABASE = 'animal-store';

const URL_RULE =
  'it must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], with reserved characters percent-encoded';

/** The part of a deadline, in milliseconds, after which the server gives up a read, or stops waiting for a majority. */
export function serverLimitMs(deadlineMs: number): number {
  return partOf(deadlineMs, 0.6);
}

/**
 * They end what hangs, each before the next, so that the driver can still try again on another connection. An operation waits for a
 * primary, or for a free connection, for 0.9 of the deadline: so it outlasts an election that is shorter than its deadline, and it is
 * not among those that wait behind one dead connection until the end. Monitoring is more patient than an operation: otherwise a pause
 * of the server that each operation could outlast would make the driver close the connections of all of them (ADR 11).
 */
function timeoutsOf(deadlineMs: number): MongoClientOptions {
  return {
    socketTimeoutMS: partOf(deadlineMs, 0.7),
    serverSelectionTimeoutMS: partOf(deadlineMs, 0.9),
    waitQueueTimeoutMS: partOf(deadlineMs, 0.9),
    connectTimeoutMS: deadlineMs + 1000,
    heartbeatFrequencyMS: 1000,
  };
}

function partOf(deadlineMs: number, part: number): number {
  return Math.max(1, Math.floor(deadlineMs * part));
}

/**
 * Makes a client that is not connected yet. Its time-outs suit the deadline, unless the URL or `options` say otherwise. Call
 * `connect` before the first operation: if the driver connects by itself for an operation and fails, every later one fails too.
 *
 * @throws TypeError if the URL or an option is malformed, or asks for `useBigInt64`, with which a step-down ends the process. Its
 * message repeats neither the user nor the password of the URL.
 */
export function createMongoClient(url: string, options: CreateMongoClientOptions = {}): MongoClient {
  const { deadlineMs = DEFAULT_DEADLINE_MS, ...driverOptions } = options;
  const defaults = Object.entries({ appName: 'animal-store', ...timeoutsOf(deadlineMs) });
  const isInUrl = (name: string): boolean => new RegExp(`[?&]${name}=`, 'i').test(url);
  const unset = Object.fromEntries(defaults.filter(([name]) => !isInUrl(name)));
  const client = newClient(url, { ...unset, ...driverOptions });
  if (typeof client === 'string') throw new TypeError(`the MongoDB URL or an option is malformed: ${client}`);
  if (client.bsonOptions.useBigInt64 === true) {
    throw new TypeError(
      "useBigInt64 must not be an option of the MongoDB client: the driver's monitoring fails with it",
    );
  }
  return client;
}

/** If the driver refuses, returns its message, or our rule if that could repeat a part of the user or the password. */
function newClient(url: string, options: MongoClientOptions): MongoClient | string {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    const [, userInfo = ''] = /:\/\/(.*)@/s.exec(url) ?? [];
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith('Invalid connection string')) return URL_RULE;
    const isSafe = !message.includes(url) && userInfo.split(/\W+/).every((part) => !part || !message.includes(part));
    return isSafe ? message : URL_RULE;
  }
}

export function errorOfMongodbUrl(url: string): string | undefined {
  try {
    createMongoClient(url);
  } catch (error) {
    return (error as Error).message;
  }
  const name = databaseNameOf(url);
  // https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions
  if (!/[/\\. "$\0]/.test(name) && Buffer.byteLength(name) < 64) return undefined;
  return 'the name of its database must have at most 63 bytes, and none of the characters / \\ . " $ or a space';
}

/** @param url A well-formed one. */
export function databaseNameOf(url: string): string {
  const [, name = ''] = /^[^:]+:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return decodeURIComponent(name) || DEFAULT_DATABASE;
}

/** Tries once more if a connection is lost in the handshake, as while a server starts. Closes the client if that fails, too. */
export async function connectClient(client: MongoClient): Promise<MongoClient> {
  try {
    return await client.connect().catch(async (error: unknown) => {
      if (!isRetryable(error)) throw error;
      return client.connect();
    });
  } catch (cause) {
    await client.close();
    const { hosts, srvHost, replicaSet } = client.options;
    throw new Error(`MongoDB at ${srvHost ?? hosts.join(',')}: ${reasonOf(cause, replicaSet)}`, { cause });
  }
}

/** If servers answer but are not fit, the driver's message is only that it has waited for one. */
function reasonOf(error: unknown, replicaSet: string | undefined): string {
  if (!(error instanceof MongoServerSelectionError)) return (error as Error).message;
  const servers = [...(error.reason?.servers.values() ?? [])];
  if (servers.some((server) => server.error !== null)) return error.message;
  const isOfSet = servers.some(({ setName }) => setName !== null && setName === replicaSet);
  return replicaSet === undefined || isOfSet
    ? `${error.message}: no host is the primary`
    : `${error.message}: no host is a member of the replica set ${replicaSet}`;
}
