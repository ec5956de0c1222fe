import type { Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { MongoApiKeyRegistry } from '../../src/adapters/mongodb/mongo-api-key-registry.js';
import type { ApiKeyRequest } from '../../src/domain/api-keys/api-key.js';
import { apiKeyManagerOf } from '../support/api-key-manager.js';
import type { Environment } from '../support/child.js';
import { outcomeOf, startCommand, type Outcome, type RunningCommand } from '../support/command.js';
import { withDatabase, type MongodbInTests } from '../support/use-mongodb.js';

/** A key that every service started here accepts, by its `API_KEYS`. */
export const KEY = 'a-key-of-more-than-16';

/** A key just made, and its public id. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

/** Starts `animal-store serve` on a MongoDB database, with everything in its log. */
export async function startService(
  url: string,
  flags: readonly string[] = [],
  env: Environment = {},
): Promise<RunningCommand> {
  const set = { API_KEYS: `anna:${KEY}`, MONGODB_URL: url, ...env };
  return startCommand(['--store', 'mongodb', '--log-level', 'trace', ...flags], set);
}

/** Runs `animal-store keys` with these arguments on a MongoDB database. */
export async function keys(url: string, ...args: string[]): Promise<Outcome> {
  return outcomeOf(['keys', ...args], { STORE: 'mongodb', MONGODB_URL: url });
}

/** Makes a key in a MongoDB database, in this process, for tests that do not ask how the command makes it. */
export async function createKey(db: Db, request: Partial<ApiKeyRequest> = {}): Promise<IssuedKey> {
  return apiKeyManagerOf(new MongoApiKeyRegistry(db)).issue({ name: 'anna', ...request });
}

/** Called in a `describe` with {@link MongodbInTests}: the URL of a database of its suite, dropped after it. */
export function useDatabaseOfSuite(mongodb: MongodbInTests): () => string {
  const name = `animal-store-test-${randomBytes(6).toString('hex')}`;
  const used: Db[] = [];
  after(async () => Promise.all(used.map(async (db) => db.dropDatabase())));
  return () => {
    if (used.length === 0) used.push(mongodb.server().client.db(name));
    return withDatabase(mongodb.server().url, name);
  };
}
