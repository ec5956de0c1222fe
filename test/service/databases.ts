import type { Suite } from 'mocha';
import { join } from 'node:path';
import { databaseNameOf } from '../../src/adapters/mongodb/client.js';
import { MongoApiKeyRegistry } from '../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../src/adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../src/adapters/mongodb/preparation.js';
import {
  openPostgresDatabase,
  PostgresApiKeyRegistry,
  PostgresApiKeys,
  PostgresPetCatalogue,
} from '../../src/adapters/postgres/index.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Environment } from '../support/child.js';
import { endWithTest } from '../support/cleanup.js';
import { PATIENT } from '../support/patience.js';
import { patientApiKeys } from '../support/patient-api-keys.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { needsPostgresPrograms } from '../support/postgres.js';
import { describeWithSqlite, importSqlite, openUntilEnd } from '../support/sqlite.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { throughProxy, usePrivateServer, withDatabase } from '../support/use-mongodb.js';

/** What befalls a database, and how it ends. */
export interface Fault {
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

/** What a store keeps, opened by the test beside the commands. */
export interface OpenedStore {
  readonly catalogue: PetCatalogue;
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
}

/** A database in the tests of a suite. */
export interface DatabaseInTests {
  /** The settings of a new store on it, by which the command uses it. */
  createStore(): Promise<Environment>;
  /** Opens a store in this process until the test ends, or the file if called in a `before`. */
  open(store: Environment): Promise<OpenedStore>;
  /** What may befall it, by the end of a sentence that begins with "when". */
  readonly faults: Readonly<Record<string, Fault>>;
  /** The network between the command and it, if it is a server. */
  readonly network: () => TcpProxy;
}

let stores = 0;

function useMongodbServer(): DatabaseInTests {
  const { server, createClient } = usePrivateServer();
  const network = useNetwork(() => server().port);
  return {
    network,
    createStore: async () => ({
      STORE: 'mongodb',
      MONGODB_URL: throughProxy(server().url, network(), `zoo${stores++}`),
    }),
    async open({ MONGODB_URL = '' }) {
      const name = databaseNameOf(MONGODB_URL);
      const db = createClient(withDatabase(server().url, name)).db(name);
      await prepareDatabase(db);
      return {
        catalogue: new MongoPetCatalogue(db, PATIENT),
        registry: new MongoApiKeyRegistry(db, PATIENT),
        apiKeys: patientApiKeys(new MongoApiKeys(db, PATIENT)),
      };
    },
    faults: {
      'the database is stopped': { begin: async () => server().stop(), end: async () => server().start() },
      'the database is paused': { begin: async () => server().pause(), end: () => server().resume() },
      ...faultsOf(network),
    },
  };
}

function usePostgresServer(): DatabaseInTests {
  let server: PostgresCluster;
  before(async function startServer() {
    await needsPostgresPrograms(this);
    server = await PostgresCluster.start();
  });
  const network = useNetwork(() => server.port);
  return {
    network,
    async createStore() {
      const name = `zoo${stores++}`;
      await server.query(`CREATE DATABASE ${name}`);
      const url = new URL(server.url(name));
      url.port = String(network().port);
      return { STORE: 'postgres', POSTGRES_URL: url.href };
    },
    async open({ POSTGRES_URL = '' }) {
      const database = await openPostgresDatabase(server.url(new URL(POSTGRES_URL).pathname.slice(1)), PATIENT);
      endWithTest(async () => database.close());
      return {
        catalogue: new PostgresPetCatalogue(database),
        registry: new PostgresApiKeyRegistry(database),
        apiKeys: new PostgresApiKeys(database),
      };
    },
    faults: {
      'the database is stopped': { begin: async () => server.stop(), end: async () => server.start() },
      'the database is killed': { begin: async () => server.kill(), end: async () => server.start() },
      'the database is paused': { begin: async () => server.freeze(), end: async () => server.thaw() },
      ...faultsOf(network),
    },
  };
}

function useSqliteFiles(): DatabaseInTests {
  return {
    createStore: async () => ({ STORE: 'sqlite', SQLITE_FILE: join(makeTemporaryFolder(), 'zoo.db') }),
    async open({ SQLITE_FILE = '' }) {
      const { SqliteApiKeyRegistry, SqliteApiKeys, SqlitePetCatalogue } = await importSqlite();
      const database = await openUntilEnd(SQLITE_FILE, PATIENT);
      return {
        catalogue: new SqlitePetCatalogue(database),
        registry: new SqliteApiKeyRegistry(database),
        apiKeys: new SqliteApiKeys(database),
      };
    },
    faults: {},
    network: () => {
      throw new Error('there is no network before a file');
    },
  };
}

/** A network before a server on this machine. It passes everything again after each test. */
function useNetwork(portOf: () => number): () => TcpProxy {
  let proxy: TcpProxy | undefined;
  before(async () => {
    proxy = await startTcpProxy(portOf());
  });
  afterEach(() => proxy?.pass());
  return () => {
    if (proxy === undefined) throw new Error('the network is not there yet');
    return proxy;
  };
}

function faultsOf(network: () => TcpProxy): DatabaseInTests['faults'] {
  const end = (): void => network().pass();
  return {
    'the network swallows bytes': { begin: () => network().swallow(), end },
    'the network cuts connections': { begin: () => network().cut(), end },
  };
}

/** A database, as a table of suites has it. */
interface Database {
  readonly name: string;
  /** Whether it is a server, which several processes use over a network. */
  readonly isServer: boolean;
  /** Declares a suite. */
  readonly declare: (title: string, body: (this: Suite) => void) => unknown;
  /** Gives the database to a suite. */
  readonly use: () => DatabaseInTests;
}

/** The databases of the stores that keep animals. */
export const DATABASES: readonly Database[] = [
  { name: 'MongoDB', isServer: true, declare: describe, use: useMongodbServer },
  { name: 'PostgreSQL', isServer: true, declare: describe, use: usePostgresServer },
  { name: 'SQLite', isServer: false, declare: describeWithSqlite, use: useSqliteFiles },
];

/** Those that are servers. */
export const DATABASE_SERVERS = DATABASES.filter(({ isServer }) => isServer);
