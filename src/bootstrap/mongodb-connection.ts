import { setTimeout as delay } from 'node:timers/promises';
import {
  createMongoClient,
  databaseNameOf,
  ping,
  type Db,
  type MongoClient,
} from '../adapters/mongodb/mongodb-client.js';
import { isAnimalStoreError } from '../domain/errors.js';
import type { StorageLog } from './log.js';

/** How long to wait at the start for a server that does not answer, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

/** How long the answer of a ping holds, in milliseconds. */
const PING_AGE_MS = 1000;

/**
 * Makes a client, and resolves to it once its server has answered. Rejects if the server does not answer within 30
 * seconds, or refuses.
 *
 * The driver never reconnects a client whose first connection failed, so each attempt has a client of its own.
 */
export async function connectMongodb(url: string, log: StorageLog): Promise<MongoClient> {
  const end = performance.now() + START_TIMEOUT_MS;
  for (let tried = 0; ; tried++) {
    const client = createMongoClient(url);
    try {
      await ping(client.db(databaseNameOf(url)));
      return client;
    } catch (error) {
      await client.close();
      if (!isAnimalStoreError(error)) throw error;
      if (performance.now() >= end) {
        throw new Error(`the MongoDB server did not answer within ${START_TIMEOUT_MS / 1000} s`, { cause: error });
      }
    }
    if (tried === 0) log.info({}, 'waiting for the MongoDB server');
    await delay(250);
  }
}

/** Whether the server answers. Asks it once a second at most, however often this is called. Logs a refusal. */
export function cachedPing(db: Db, log: StorageLog): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  return () => {
    if (performance.now() - askedAt < PING_AGE_MS) return answer;
    askedAt = performance.now();
    answer = ping(db).then(
      () => true,
      (err: unknown) => {
        if (!isAnimalStoreError(err)) log.error({ err }, 'the MongoDB server refuses a ping');
        return false;
      },
    );
    return answer;
  };
}
