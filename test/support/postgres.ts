import type { Context } from 'mocha';
import { randomBytes } from 'node:crypto';
import { endWithFile } from './cleanup.js';
import { query } from './postgres-query.js';
import { PostgresCluster, postgresPrograms } from './postgres-cluster.js';
import { skip } from './skip.js';

/** The URL of the server that {@link sharePostgres} started, or why there is none. */
const SHARED = 'ANIMAL_STORE_TEST_POSTGRES';

/** Makes it an error that there is no server. */
const REQUIRED = 'REQUIRE_POSTGRES';

/** The URL of the server of this run; an error if there is none. */
let chosen: Promise<string | Error> | undefined;

/**
 * Starts a server that every process that this one starts from now on shares, unless `POSTGRES_TEST_URL` names one or a process
 * before has started one. Resolves to what ends it.
 */
export async function sharePostgres(): Promise<() => Promise<void>> {
  if (process.env['POSTGRES_TEST_URL'] || process.env[SHARED]) return async () => undefined;
  let end = async (): Promise<void> => undefined;
  const url = await startServer((dispose) => {
    end = dispose as typeof end;
    return () => undefined;
  });
  if (typeof url === 'string') process.env[SHARED] = url;
  return end;
}

async function chooseServer(): Promise<string | Error> {
  const url = process.env['POSTGRES_TEST_URL'] || process.env[SHARED];
  return url || startServer(endWithFile);
}

/** Starts a server. Prints which one it is, or why there is none. */
async function startServer(endWith: typeof endWithFile): Promise<string | Error> {
  try {
    const cluster = await PostgresCluster.start({}, endWith);
    const [row] = await cluster.query('SHOW server_version');
    console.log(`PostgreSQL tests use ${String(row?.['server_version'])}`);
    return cluster.url();
  } catch (error) {
    const reason = (error as Error).message.split('\n', 1)[0] ?? '';
    if (process.env[REQUIRED] === 'true') throw new Error(`there is no PostgreSQL server: ${reason}`, { cause: error });
    console.log(`PostgreSQL tests are skipped, as there is no server (POSTGRES_TEST_URL: not set; ${reason})`);
    return new Error(reason, { cause: error });
  }
}

/** Skips the tests of a suite, in its `before`, if this machine cannot start a server: the one of `POSTGRES_TEST_URL` is not theirs to end. */
export async function needsPostgresPrograms(context: Context): Promise<void> {
  try {
    await postgresPrograms();
  } catch (error) {
    if (process.env[REQUIRED] === 'true') throw error;
    skip(context, (error as Error).message);
  }
}

/** What {@link usePostgres} provides to the tests of its suite. */
export interface PostgresInTests {
  /** The URL of a new schema, in which nobody else's tables are. It is dropped after the test; after the suite, if made in a `before`. */
  createUrl(): Promise<string>;
  /** The same with a database of its own, which takes longer. */
  createDatabase(options?: string): Promise<string>;
}

/** Call it in a `describe`: its tests run on the server of the run. They are skipped if there is none. */
export function usePostgres(): PostgresInTests {
  let server = '';
  let isInTest = false;
  const ofTest: string[] = [];
  const ofSuite: string[] = [];

  before(async function chooseServerOfRun() {
    chosen ??= chooseServer();
    endWithFile(() => (chosen = undefined));
    const url = await chosen;
    if (typeof url !== 'string') skip(this, `there is no PostgreSQL server: ${url.message}`);
    server = url;
  });
  beforeEach(() => (isInTest = true));
  afterEach(async () => {
    isInTest = false;
    await drop(ofTest);
  });
  after(async () => drop(ofSuite));

  /** Creates something with a name of its own, and drops it after the test or the suite. */
  async function create(sql: (name: string) => string, dropping: (name: string) => string): Promise<string> {
    const name = `animal-store-test-${randomBytes(6).toString('hex')}`;
    (isInTest ? ofTest : ofSuite).push(dropping(`"${name}"`));
    await query(server, sql(`"${name}"`));
    return name;
  }

  async function drop(statements: string[]): Promise<void> {
    for (const sql of statements.splice(0)) await query(server, sql);
  }

  return {
    async createUrl() {
      const name = await create(
        (schema) => `CREATE SCHEMA ${schema}`,
        (schema) => `DROP SCHEMA ${schema} CASCADE`,
      );
      const url = new URL(server);
      url.searchParams.set('options', `-c search_path=${name}`);
      return url.href;
    },
    async createDatabase(options = '') {
      const name = await create(
        (database) => `CREATE DATABASE ${database} ${options}`,
        (database) => `DROP DATABASE ${database} WITH (FORCE)`,
      );
      const url = new URL(server);
      url.pathname = name;
      return url.href;
    },
  };
}
