import type { Db, MongoClient } from 'mongodb';
import type { Context } from 'mocha';
import { ConnectionString } from 'mongodb-connection-string-url';
import { randomBytes } from 'node:crypto';
import { createMongoClient, type CreateMongoClientOptions } from '../../src/adapters/mongodb/client.js';
import { testServer, type ControllableServer, type TestServer } from './mongodb-server.js';
import { skip } from './skip.js';

/** What {@link useMongodb} provides to the tests of its suite. */
export interface MongodbInTests {
  server(): TestServer;
  /** A new database on the server, dropped after the test. */
  createDatabase(): Db;
  /** The server's URL with a new database in it, dropped after the test. */
  createDatabaseUrl(): string;
  /** The server's port on this machine, for a proxy before it. Skips the test, or the suite in its `before`, if it may run elsewhere. */
  localPort(context: Context): number;
}

/**
 * Call it in a `describe`: its tests run on the server of the run. They are skipped if there is none, or if they need a true
 * mongod and the server is none.
 */
export function useMongodb({ needsMongod = false } = {}): MongodbInTests {
  let server: TestServer | undefined;
  const databases: Db[] = [];
  before(async function chooseServer() {
    this.timeout(180_000);
    server = await serverFor(this, needsMongod);
  });
  afterEach(async function dropDatabases() {
    await Promise.all(databases.splice(0).map(async (db) => db.dropDatabase()));
  });
  const inUse = (): TestServer => {
    if (server === undefined) throw new Error('there is no MongoDB server');
    return server;
  };
  const createDatabase = (): Db => {
    const db = inUse().client.db(`animal-store-test-${randomBytes(6).toString('hex')}`);
    databases.push(db);
    return db;
  };
  return {
    server: inUse,
    createDatabase,
    createDatabaseUrl: () => withDatabase(inUse().url, createDatabase().databaseName),
    localPort(context) {
      const { startPrivate, url } = inUse();
      if (startPrivate === undefined)
        skip(context, 'the MongoDB server belongs to somebody else, and may run elsewhere');
      return Number(new URL(url).port);
    },
  };
}

/** What {@link usePrivateServer} provides to the tests of its suite. */
export interface PrivateServerInTests {
  server(): ControllableServer;
  /** A client of that server that the suite closes at its end. */
  createClient(url?: string, options?: CreateMongoClientOptions): MongoClient;
}

/**
 * Call it in a `describe`: its tests have a server to themselves, which they may stop and pause. They are skipped if this
 * machine does not run the server of the run, or if they need a true mongod and the server is none.
 */
export function usePrivateServer({ needsMongod = false } = {}): PrivateServerInTests {
  let server: ControllableServer | undefined;
  const clients: MongoClient[] = [];
  before(async function startServer() {
    this.timeout(180_000);
    server = await (await serverFor(this, needsMongod)).startPrivate?.();
    if (server === undefined) skip(this, 'the MongoDB server belongs to somebody else, so it cannot be stopped');
  });
  after(async function disposeServer() {
    try {
      // First, because a client that closes has a last command for its server, which may be paused.
      await server?.dispose();
    } finally {
      await Promise.all(clients.map(async (client) => client.close()));
    }
  });
  const inUse = (): ControllableServer => {
    if (server === undefined) throw new Error('there is no MongoDB server to have alone');
    return server;
  };
  return {
    server: inUse,
    createClient(url = inUse().url, options = {}) {
      const client = createMongoClient(url, options);
      clients.push(client);
      return client;
    },
  };
}

/** The server of the run. Skips the suite if there is none, or if it is not the true mongod that the suite needs. */
async function serverFor(context: Context, needsMongod: boolean): Promise<TestServer> {
  const server = await testServer();
  if (server === undefined) skip(context, 'there is no MongoDB server');
  if (needsMongod && !server.isMongod) skip(context, `it needs a true mongod, and this is ${server.description}`);
  return server;
}

/** A URL of a server, with the name of a database in it. */
export function withDatabase(url: string, name: string): string {
  const named = new ConnectionString(url);
  named.pathname = `/${name}`;
  if (named.username !== '' && !named.searchParams.has('authSource')) named.searchParams.set('authSource', 'admin');
  return named.toString();
}

/** The URL of a server behind a proxy, with the name of a database in it. The driver then goes to no other host. */
export function throughProxy(url: string, { port }: { readonly port: number }, name: string): string {
  return directUrl(withDatabase(url, name), `127.0.0.1:${port}`);
}

/** The URL of one host of a deployment. The driver then goes to no other. */
export function directUrl(url: string, host: string): string {
  const direct = new ConnectionString(url);
  direct.hosts = [host];
  direct.searchParams.delete('replicaSet');
  direct.searchParams.set('directConnection', 'true');
  return direct.toString();
}
