import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { withDeadline } from './store-unavailable.js';

export type { Db, MongoClient };

/**
 * The time-outs with which the store is given up within 2 seconds, and found again within 5 seconds of its return: those
 * of the server's monitor too, which would otherwise sit on a silent connection for 20 seconds.
 */
export const MONGO_CLIENT_OPTIONS = Object.freeze({
  appName: 'animal-store',
  serverSelectionTimeoutMS: 2000,
  waitQueueTimeoutMS: 2000,
  connectTimeoutMS: 2000,
  heartbeatFrequencyMS: 2000,
  retryReads: true,
  retryWrites: true,
}) satisfies MongoClientOptions;

/**
 * Makes a client that is not connected yet, with the time-outs above, unless the URL's own options or
 * `overrides` say otherwise; the latter win.
 *
 * @throws TypeError where the URL or an override is malformed; its message holds nothing of them, as a URL may carry a password.
 */
export function createMongoClient(url: string, overrides: MongoClientOptions = {}): MongoClient {
  const given = new Set(Array.from(new URLSearchParams(url.split('?')[1]).keys(), (key) => key.toLowerCase()));
  const defaults = Object.entries(MONGO_CLIENT_OPTIONS).filter(([key]) => !given.has(key.toLowerCase()));
  try {
    return new MongoClient(url, { ...Object.fromEntries(defaults), ...overrides });
  } catch {
    throw new TypeError(
      'the MongoDB URL or an option beside it is malformed: a URL must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], with reserved characters percent-encoded',
    );
  }
}

/** Whether the driver takes a text for the URL of a deployment and a database, its options included. */
export function isMongodbUrl(url: string): boolean {
  try {
    createMongoClient(url).db(databaseNameOf(url));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The name of the database in a well-formed URL. @returns `animal-store` where the URL has none. */
export function databaseNameOf(url: string): string {
  const name = /^[^:]+:\/\/[^/]*\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? 'animal-store' : decodeURIComponent(name);
}

/** Resolves once the primary has answered; rejects with `store_unavailable` where it does not within the deadline. */
export async function ping(db: Db, deadlineMs = 2000): Promise<void> {
  await withDeadline(deadlineMs, async ({ signal }) => db.command({ ping: 1 }, { readPreference: 'primary', signal }));
}
