import type { MongoClient, MongoClientOptions } from 'mongodb';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { endWithTest } from '../../support/cleanup.js';

/** A client of a server on this machine, with the database `zoo`. It is closed when its test ends. */
export function clientOf(
  { port }: { readonly port: number },
  { query = '', ...options }: MongoClientOptions & { readonly deadlineMs?: number; readonly query?: string } = {},
): MongoClient {
  const client = createMongoClient(`mongodb://127.0.0.1:${port}/zoo?${query}`, options);
  endWithTest(async () => client.close());
  return client;
}
