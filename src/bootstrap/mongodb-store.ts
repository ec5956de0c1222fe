import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { InMemoryApiKeys } from '../adapters/in-memory/in-memory-api-keys.js';
import { MongoApiKeys } from '../adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../adapters/mongodb/mongo-pet-catalogue.js';
import { createMongoClient, databaseNameOf, ping, type Db } from '../adapters/mongodb/mongodb-client.js';
import { isAnimalStoreError } from '../domain/errors.js';
import { anyOf } from './any-of.js';
import { mongodbModule } from './mongodb-module.js';
import { ConfigError } from './settings/config-error.js';
import type { ServerConfig } from './settings/server-config.js';
import type { OpenStore } from './stores.js';

/** How long the server is waited for at the start, in milliseconds. */
const START_TIMEOUT_MS = 30_000;

/** How long the answer of a ping holds, in milliseconds. */
const PING_AGE_MS = 1000;

/** A database whose server has answered. */
export interface OpenDatabase {
  readonly db: Db;
  close(): Promise<void>;
}

/**
 * Connects to the database of a URL. Rejects where its server does not answer within 30 seconds, or refuses.
 *
 * Each try has a client of its own: the driver never reconnects one whose first connection failed.
 */
export async function openDatabase(url = '', log?: Logger): Promise<OpenDatabase> {
  const end = performance.now() + START_TIMEOUT_MS;
  for (let tried = 0; ; tried++) {
    const client = createMongoClient(url);
    const close = async () => client.close();
    try {
      const db = client.db(databaseNameOf(url));
      await ping(db);
      return { db, close };
    } catch (error) {
      await close();
      if (!isAnimalStoreError(error)) throw error;
      if (performance.now() >= end) {
        throw new Error(`the MongoDB server did not answer within ${START_TIMEOUT_MS / 1000} s`, { cause: error });
      }
    }
    if (tried === 0) log?.info('waiting for the MongoDB server');
    await delay(250);
  }
}

/** Opens the store that is a MongoDB database. Rejects with a `ConfigError` where no API key could open the door. */
export async function openMongodb(config: ServerConfig, log: Logger): Promise<OpenStore> {
  const { db, close } = await openDatabase(config.mongodbUrl, log);
  try {
    const catalogue = new MongoPetCatalogue(db);
    const storedKeys = new MongoApiKeys(db);
    const hasOwnKeys = config.apiKeys.length > 0;
    await Promise.all([catalogue.init(), storedKeys.init()]);
    if (!hasOwnKeys && !(await storedKeys.hasKeyInForce())) {
      throw new ConfigError([
        'API_KEYS must hold a key, as the database has none in force: or make one with animal-store keys create',
      ]);
    }
    const apiKeys = hasOwnKeys ? anyOf(new InMemoryApiKeys(config.apiKeys), storedKeys) : storedKeys;
    return { module: mongodbModule({ catalogue, apiKeys }), isReady: cachedPing(db, log), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether the server answers, asked once a second at the most, however often this is. A refusal is logged. */
function cachedPing(db: Db, log: Logger): () => Promise<boolean> {
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
