import type { MongoClient, ServerHeartbeatFailedEvent, ServerHeartbeatSucceededEvent } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { isAnimalStoreError } from '../../domain/errors.js';
import { createMongoClient, ping, type CreateMongoClientOptions } from './client.js';
import { databaseNameOf } from './mongodb-url.js';
import { DEFAULT_DEADLINE_MS, withDeadline } from './operation.js';
import { lastingCauseOf, UnusableServerError } from './unavailable-errors.js';

/** How long to wait for a server that is not ready. */
export interface WaitOptions {
  /** In milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Called once, with the reason, if the first attempt fails and another follows. It must not throw. */
  readonly onWait?: ((reason: string) => void) | undefined;
}

/** The options of {@link connectMongoClient}: those of the client, and how long to wait. */
export interface ConnectMongoClientOptions extends CreateMongoClientOptions, WaitOptions {
  /** Called with the client before it connects, to listen to its events. */
  readonly onClient?: ((client: MongoClient) => void) | undefined;
}

/** The server could not be reached, or cannot be used. `message` says why; it holds no password. */
export class MongoConnectionError extends Error {
  override readonly name = 'MongoConnectionError';
}

const PAUSE_MS = 250;
const SHORTEST_ATTEMPT_MS = 500;

/**
 * Makes a client, and resolves to it once the primary of the deployment has answered. Tries again while nothing answers: the
 * driver never connects a client again by itself whose first connection failed, but does so if `connect` is called.
 *
 * Rejects with a {@link MongoConnectionError} if no answer comes within `timeoutMs`, and immediately if waiting cannot help: a file of
 * certificates is missing, TLS fails, the name of a `mongodb+srv://` URL does not exist, every server belongs to another replica
 * set than the URL names, or a `directConnection` leads to a secondary. Rejects with the driver's error if the server refuses,
 * for example because of a wrong password.
 */
export async function connectMongoClient(url: string, options: ConnectMongoClientOptions = {}): Promise<MongoClient> {
  const { timeoutMs, onWait, onClient, ...clientOptions } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS } = clientOptions;
  const client = createMongoClient(url, clientOptions);
  onClient?.(client);
  const servers = watchServers(client);
  try {
    await retryWhileUnavailable({ timeoutMs, onWait, reason: servers.latestFailure }, async (leftMs) => {
      const limitMs = Math.min(deadlineMs, leftMs);
      const connect = async (): Promise<void> => {
        await client.connect();
        await ping(client.db(databaseNameOf(url)), limitMs);
      };
      await withDeadline(limitMs, connect, { signal: servers.areHopeless });
    });
    return client;
  } catch (error) {
    await client.close();
    const lasting = lastingCauseOf(error);
    if (lasting === undefined) throw error;
    const what = lasting instanceof UnusableServerError ? 'used' : 'reached';
    throw new MongoConnectionError(`the MongoDB server cannot be ${what}: ${lasting.message}`, { cause: error });
  } finally {
    servers.unwatch();
  }
}

/**
 * Runs an operation that may safely run more than once, and runs it again while it rejects with `store_unavailable`.
 *
 * Rejects with a {@link MongoConnectionError} if none has succeeded within `timeoutMs`, and immediately with any other error, or if
 * waiting cannot help.
 *
 * @param options `reason`: why nothing answers, if that is known; otherwise the first cause of the rejection tells.
 * @param attempt Must end within the milliseconds given to it, or soon after.
 */
export async function retryWhileUnavailable<T>(
  { timeoutMs = 30_000, onWait, reason }: WaitOptions & { readonly reason?: () => Error | undefined },
  attempt: (leftMs: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await attempt(Math.ceil(Math.max(SHORTEST_ATTEMPT_MS, end - performance.now())));
    } catch (error) {
      if (!isAnimalStoreError(error) || error.code !== 'store_unavailable' || lastingCauseOf(error)) throw error;
      const known = reason?.();
      const { message } = known ?? firstCauseOf(error);
      if (performance.now() >= end) {
        throw new MongoConnectionError(`the MongoDB server was not ready within ${timeoutMs / 1000} s: ${message}`, {
          cause: known ?? error,
        });
      }
      if (!hasWaited) onWait?.(message);
    }
    await delay(PAUSE_MS);
  }
}

function firstCauseOf(error: Error): Error {
  return error.cause instanceof Error ? firstCauseOf(error.cause) : error;
}

/**
 * Follows what the driver finds out about the servers of a client. `areHopeless` is aborted as soon as none of them can be used, for
 * reasons that waiting cannot change.
 */
function watchServers(client: MongoClient) {
  const failures = new Map<string, Error>();
  const hopeless = new AbortController();
  let latest: Error | undefined;

  function note(address: string, failure: Error): void {
    latest = failure;
    failures.set(address, failure);
    // The driver looks the hosts of a mongodb+srv:// URL up when it connects.
    const isEachKnown = failures.size >= client.options.hosts.length;
    if (isEachKnown && [...failures.values()].every(lastingCauseOf)) hopeless.abort(failure);
  }
  function noteFailure({ connectionId, failure }: ServerHeartbeatFailedEvent): void {
    note(connectionId, failure);
  }
  function noteSetName({ connectionId, reply }: ServerHeartbeatSucceededEvent): void {
    const expected = client.options.replicaSet as string | undefined;
    const { setName, isreplicaset: isNotInitiated } = reply;
    if (expected === undefined || setName === expected || isNotInitiated === true) return;
    const found = setName === undefined ? 'no replica set' : `the replica set ${String(setName)}`;
    note(connectionId, new UnusableServerError(`it belongs to ${found}, not to ${expected}`));
  }

  client.on('serverHeartbeatFailed', noteFailure).on('serverHeartbeatSucceeded', noteSetName);
  return {
    areHopeless: hopeless.signal,
    latestFailure: () => latest,
    unwatch: () => client.off('serverHeartbeatFailed', noteFailure).off('serverHeartbeatSucceeded', noteSetName),
  };
}
