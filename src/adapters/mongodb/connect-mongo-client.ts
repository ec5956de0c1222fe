import type { MongoClient, ServerHeartbeatFailedEvent, ServerHeartbeatSucceededEvent } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { isAnimalStoreError } from '../../domain/errors.js';
import { DEFAULT_DEADLINE_MS, withDeadline } from './operation.js';
import { isFileError } from './unavailable-errors.js';
import { createMongoClient, ping, UnusableServerError, type CreateMongoClientOptions } from './client.js';
import { databaseNameOf } from './mongodb-url.js';

/** How long to wait for a server that is not ready. */
export interface Patience {
  /** In milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Called once, with the reason, if the first attempt fails and another follows. It must not throw. */
  readonly onWait?: ((reason: string) => void) | undefined;
}

/** The options of {@link connectMongoClient}: those of the client, and how long to wait. */
export interface ConnectMongoClientOptions extends CreateMongoClientOptions, Patience {
  /** Called with the client before it connects, to listen to its events. */
  readonly onClient?: ((client: MongoClient) => void) | undefined;
}

/** The server could not be reached, or cannot be used. `message` says why; it holds no password. */
export class MongoConnectionError extends Error {
  override readonly name = 'MongoConnectionError';
}

const DEFAULT_TIMEOUT_MS = 30_000;
const PAUSE_MS = 250;
const SHORTEST_ATTEMPT_MS = 500;

/** Codes of TLS: a port without TLS, a certificate that is not accepted, a file that holds no certificate. */
const TLS_CODE = /^(EPROTO$|ERR_(SSL|TLS|OSSL)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** Codes with which a name server denies that a name exists. */
const NO_SUCH_NAME = /^(ENOTFOUND|ENODATA)$/;

/**
 * Makes a client, and resolves to it once the primary of the deployment has answered. Tries again while nothing answers: the
 * driver never connects a client again by itself whose first connection failed, but does so if `connect` is called.
 *
 * Rejects with a {@link MongoConnectionError} if no answer comes within `timeoutMs`, and at once if waiting cannot help: a file of
 * certificates is missing, TLS fails, the name of a `mongodb+srv://` URL does not exist, every server belongs to another replica
 * set than the URL names, or a `directConnection` leads to a secondary. Rejects with the driver's error if the server refuses,
 * for example because of a wrong password.
 */
export async function connectMongoClient(url: string, options: ConnectMongoClientOptions = {}): Promise<MongoClient> {
  const { timeoutMs, onWait, onClient, ...clientOptions } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS } = clientOptions;
  const client = createMongoClient(url, clientOptions);
  onClient?.(client);
  const servers = new WatchedServers(client);
  try {
    await patiently({ timeoutMs, onWait, latest: () => servers.latest }, async (remainingMs) => {
      const limitMs = Math.min(deadlineMs, remainingMs);
      const attempt = withDeadline(limitMs, async () => {
        await client.connect();
        await ping(client.db(databaseNameOf(url)), limitMs);
      });
      await Promise.race([attempt, servers.areHopeless]);
    });
    return client;
  } catch (error) {
    await client.close();
    const lasting = lastingCauseOf(error);
    if (lasting === undefined) throw error;
    const what = lasting instanceof UnusableServerError ? 'used' : 'reached';
    throw new MongoConnectionError(`the MongoDB server cannot be ${what}: ${lasting.message}`, { cause: error });
  } finally {
    servers.stop();
  }
}

/**
 * Runs an operation that may safely run more than once, and runs it again while it rejects with `store_unavailable`.
 *
 * Rejects with a {@link MongoConnectionError} if none has succeeded within `timeoutMs`, and with any other error at once.
 *
 * @param patience `latest`: the latest failure that was seen elsewhere, which then is the reason.
 * @param attempt Must end within the milliseconds given to it, or soon after.
 */
export async function patiently<T>(
  { timeoutMs = DEFAULT_TIMEOUT_MS, onWait, latest }: Patience & { readonly latest?: () => Error | undefined },
  attempt: (remainingMs: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await attempt(Math.ceil(Math.max(SHORTEST_ATTEMPT_MS, end - performance.now())));
    } catch (error) {
      if (!isAnimalStoreError(error) || error.code !== 'store_unavailable' || lastingCauseOf(error)) throw error;
      const failure = latest?.();
      const reason = (failure ?? causesOf(error).at(-1) ?? error).message;
      if (performance.now() >= end) {
        const message = `the MongoDB server was not ready within ${timeoutMs / 1000} s: ${reason}`;
        throw new MongoConnectionError(message, { cause: failure ?? error });
      }
      if (!hasWaited) onWait?.(reason);
    }
    await delay(PAUSE_MS);
  }
}

/** What the driver finds out about the servers of a client while it connects. */
class WatchedServers {
  /** The latest reason for which a server cannot be used. */
  latest: Error | undefined;
  /** Rejects as soon as no server of the deployment can be used, for reasons that waiting cannot change. */
  readonly areHopeless: Promise<never>;
  readonly #client: MongoClient;
  readonly #hopeless = new Set<string>();
  #giveUp: (reason: Error) => void = () => undefined;

  constructor(client: MongoClient) {
    this.#client = client;
    this.areHopeless = new Promise<never>((_resolve, reject) => (this.#giveUp = reject));
    this.areHopeless.catch(() => undefined);
    client.on('serverHeartbeatFailed', this.#noteFailure).on('serverHeartbeatSucceeded', this.#noteSetName);
  }

  stop(): void {
    this.#client.off('serverHeartbeatFailed', this.#noteFailure).off('serverHeartbeatSucceeded', this.#noteSetName);
  }

  readonly #noteFailure = ({ connectionId, failure }: ServerHeartbeatFailedEvent): void =>
    this.#note(connectionId, failure);

  readonly #noteSetName = ({ connectionId, reply }: ServerHeartbeatSucceededEvent): void => {
    const expected = this.#client.options.replicaSet as string | undefined;
    const { setName, isreplicaset: isNotInitiated } = reply;
    if (expected === undefined || setName === expected || isNotInitiated === true) return;
    const found = setName === undefined ? 'no replica set' : `the replica set ${String(setName)}`;
    this.#note(
      connectionId,
      new UnusableServerError(`it belongs to ${found}, not to ${expected}`, { isForGood: true }),
    );
  };

  #note(address: string, reason: Error): void {
    this.latest = reason;
    if (lastingCauseOf(reason) !== undefined) this.#hopeless.add(address);
    if (this.#hopeless.size >= this.#client.options.hosts.length) this.#giveUp(reason);
  }
}

/** The error among the causes of an error that waiting cannot change. */
function lastingCauseOf(error: unknown): Error | undefined {
  const causes = causesOf(error);
  // The cause of a failed selection is the failure of one server; others may answer yet.
  if (causes.some(({ name }) => name === 'MongoServerSelectionError')) return undefined;
  return causes.find((cause) => {
    const { code, syscall } = cause as { readonly code?: unknown; readonly syscall?: unknown };
    if (cause instanceof UnusableServerError) return cause.isForGood;
    if (isFileError(cause)) return true;
    if (typeof code !== 'string') return false;
    return TLS_CODE.test(code) || (syscall === 'querySrv' && NO_SUCH_NAME.test(code));
  });
}

/** An error and its causes, down to the first one. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
