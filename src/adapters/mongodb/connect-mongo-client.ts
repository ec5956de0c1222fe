import type { MongoClient, ServerHeartbeatFailedEvent } from 'mongodb';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import { DEFAULT_DEADLINE_MS, isFileError, withDeadline } from './deadline.js';
import { createMongoClient, databaseNameOf, ping, type CreateMongoClientOptions } from './mongodb-client.js';
import { causesOf, MongoConnectionError, patiently, type Patience } from './patiently.js';

/** The options of {@link connectMongoClient}: those of the client, and how long to wait. */
export interface ConnectMongoClientOptions extends CreateMongoClientOptions, Patience {
  /** Called with the client before it connects, to listen to its events. */
  readonly onClient?: ((client: MongoClient) => void) | undefined;
}

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
  const { timeoutMs, onWait, onClient, ...clientOptions } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS } = clientOptions;
  const client = createMongoClient(url, clientOptions);
  onClient?.(client);
  const failures = new Failures(client);
  try {
    await patiently({ timeoutMs, onWait }, async (remainingMs) =>
      failures.endHopeless(async () => attempt(client, url, Math.min(deadlineMs, remainingMs))),
    );
    return client;
  } catch (error) {
    await client.close();
    const lasting = lastingCauseOf(error);
    if (lasting === undefined) throw error;
    throw new MongoConnectionError(`the MongoDB server cannot be reached: ${lasting.message}`, { cause: error });
  } finally {
    failures.stop();
  }
}

/**
 * Connects and pings the primary. The driver never connects a client again by itself whose first connection failed, but
 * does so if `connect` is called.
 */
async function attempt(client: MongoClient, url: string, deadlineMs: number): Promise<void> {
  await withDeadline(deadlineMs, async () => {
    await client.connect();
    await ping(client.db(databaseNameOf(url)), deadlineMs);
  });
}

/** The failures that the driver sees while a client connects. */
class Failures {
  readonly #client: MongoClient;
  readonly #hopelessHosts = new Set<string>();
  readonly #isHopeless: Promise<never>;
  #giveUp: (failure: Error) => void = () => undefined;
  #latest: Error | undefined;

  constructor(client: MongoClient) {
    this.#client = client;
    this.#isHopeless = new Promise<never>((_resolve, reject) => (this.#giveUp = reject));
    this.#isHopeless.catch(() => undefined);
    client.on('serverHeartbeatFailed', this.#note);
  }

  stop(): void {
    this.#client.off('serverHeartbeatFailed', this.#note);
  }

  /**
   * Runs an attempt, and rejects as soon as no host of the deployment can be reached for a reason that waiting cannot
   * change. If there is no answer, the cause is the latest failure that the driver saw.
   */
  async endHopeless(connect: () => Promise<void>): Promise<void> {
    try {
      await Promise.race([connect(), this.#isHopeless]);
    } catch (error) {
      const lasting = isOfOneHost(error) ? undefined : lastingCauseOf(error);
      if (lasting !== undefined) throw lasting;
      if (this.#latest === undefined || !isAnimalStoreError(error)) throw error;
      throw new AnimalStoreError('store_unavailable', error.message, { cause: this.#latest });
    }
  }

  readonly #note = ({ connectionId, failure }: ServerHeartbeatFailedEvent): void => {
    this.#latest = failure;
    if (lastingCauseOf(failure) !== undefined) this.#hopelessHosts.add(connectionId);
    if (this.#hopelessHosts.size >= this.#client.options.hosts.length) this.#giveUp(failure);
  };
}

/** Whether the driver has selected no host. The cause that it gives is the failure of one of them; others may answer yet. */
function isOfOneHost(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === 'MongoServerSelectionError');
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
