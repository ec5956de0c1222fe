import type { MongoClient, ServerHeartbeatFailedEvent } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import { createMongoClient, databaseNameOf, ping, type CreateMongoClientOptions } from './mongodb-client.js';
import { DEFAULT_DEADLINE_MS, isFileError } from './deadline.js';

/** The options of {@link connectMongoClient}: those of the client, and how long to wait. */
export interface ConnectMongoClientOptions extends CreateMongoClientOptions {
  /** How long to wait for a server that does not answer, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
  /** Called once, with the reason, if the first attempt fails and another follows. It must not throw. */
  readonly onWait?: (reason: string) => void;
  /** Called with each client before it connects, to listen to its events: each attempt makes a client of its own. */
  readonly onClient?: ((client: MongoClient) => void) | undefined;
}

/** The server could not be reached. `message` says why; it holds no password. */
export class MongoConnectionError extends Error {
  override readonly name = 'MongoConnectionError';
}

const PAUSE_MS = 250;
const SHORTEST_ATTEMPT_MS = 500;

/** Codes of TLS: a port without TLS, a certificate that is not accepted, a file that holds no certificate. */
const TLS_CODE = /^(EPROTO$|ERR_(SSL|TLS|OSSL)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** Codes with which a name server denies that a name exists. */
const NO_SUCH_NAME = /^(ENOTFOUND|ENODATA)$/;

/**
 * Makes a client, and resolves to it once the primary of the deployment has answered. Tries again while nothing answers.
 *
 * Rejects with a {@link MongoConnectionError} if no answer comes within `timeoutMs`, and at once if waiting cannot help:
 * a file of certificates is missing, TLS fails, or the name of a `mongodb+srv://` URL does not exist. Rejects with the
 * driver's error if the server refuses, for example because of a wrong password.
 */
export async function connectMongoClient(url: string, options: ConnectMongoClientOptions = {}): Promise<MongoClient> {
  const { timeoutMs = 30_000, onWait, onClient, ...clientOptions } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS } = clientOptions;
  const end = performance.now() + timeoutMs;
  let hasWaited = false;
  for (;;) {
    // The driver never reconnects a client whose first connection failed, so each attempt has one of its own.
    const client = createMongoClient(url, clientOptions);
    onClient?.(client);
    try {
      await attempt(client, url, Math.min(deadlineMs, Math.max(SHORTEST_ATTEMPT_MS, end - performance.now())));
      return client;
    } catch (error) {
      await client.close();
      const lasting = lastingCauseOf(error);
      if (lasting !== undefined) {
        throw new MongoConnectionError(`the MongoDB server cannot be reached: ${lasting.message}`, { cause: error });
      }
      if (!isAnimalStoreError(error)) throw error;
      const reason = rootCauseOf(error).message;
      if (performance.now() >= end) {
        const message = `the MongoDB server did not answer within ${timeoutMs / 1000} s: ${reason}`;
        throw new MongoConnectionError(message, { cause: error });
      }
      if (!hasWaited) onWait?.(reason);
      hasWaited = true;
    }
    await delay(PAUSE_MS);
  }
}

/**
 * Pings the primary. Rejects as soon as no host of the deployment can be reached for a reason that waiting cannot change,
 * and with `store_unavailable` if there is no answer; the cause is then the last failure that the driver saw.
 */
async function attempt(client: MongoClient, url: string, deadlineMs: number): Promise<void> {
  const hopeless = new Set<string>();
  let lastFailure: Error | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    client.on('serverHeartbeatFailed', ({ connectionId, failure }: ServerHeartbeatFailedEvent) => {
      lastFailure = failure;
      if (lastingCauseOf(failure) !== undefined) hopeless.add(connectionId);
      if (hopeless.size >= client.options.hosts.length) reject(failure);
    });
  });
  try {
    await Promise.race([ping(client.db(databaseNameOf(url)), Math.ceil(deadlineMs)), failed]);
  } catch (error) {
    if (lastFailure === undefined || !isAnimalStoreError(error)) throw error;
    throw new AnimalStoreError('store_unavailable', error.message, { cause: lastFailure });
  }
}

/** The error among the causes of an error that waiting cannot change. */
function lastingCauseOf(error: unknown): Error | undefined {
  return causesOf(error).find((cause) => {
    const { code, syscall } = cause as { readonly code?: unknown; readonly syscall?: unknown };
    if (isFileError(cause)) return true;
    if (typeof code !== 'string') return false;
    return TLS_CODE.test(code) || (syscall === 'querySrv' && NO_SUCH_NAME.test(code));
  });
}

function rootCauseOf(error: Error): Error {
  return causesOf(error).at(-1) ?? error;
}

/** An error and its causes, down to the first one. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
