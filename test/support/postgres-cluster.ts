import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Child, type Environment } from './child.js';
import { endWithTest } from './cleanup.js';
import { query } from './postgres-query.js';
import { until } from './until.js';

const run = promisify(execFile);

/** Where Debian keeps the programs of each version, beside the folders of PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** The programs that tests start. */
const PROGRAMS = ['initdb', 'pg_basebackup', 'postgres'];

/** The user of Debian's package: PostgreSQL refuses to run as root. */
const USER = 'postgres';

/** The settings of every server: enough connections for all tests, and no waits for the disk, which outlives a killed process. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  fsync: 'off',
  // Frozen and killed standbys are noticed sooner than after a minute.
  wal_sender_timeout: '10s',
};

/** Settings of a server by their names in PostgreSQL. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** The folder of the programs in the newest version; rejects if there is none. */
export async function postgresPrograms(): Promise<string> {
  const versions = existsSync(DEBIAN) ? await readdir(DEBIAN) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const folders = [
    ...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  const found = folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
  if (found === undefined) throw new Error('PostgreSQL is not installed');
  return found;
}

/** Starts a program of PostgreSQL: as the user of its package, if this process is root. */
function asUser(program: string, args: readonly string[]): [string, string[]] {
  if (userInfo().uid !== 0) return [program, [...args]];
  return ['setpriv', [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', program, ...args]];
}

/** A PostgreSQL server of a test's own, with its data in a temporary folder. It keeps its port from stop to start. */
export class PostgresCluster {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  #process: Child | undefined;

  private constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
  }

  /** Creates and starts one whose collation is linguistic, ICU's `en-US`. */
  static async start(settings: PostgresSettings = {}, endWith = endWithTest): Promise<PostgresCluster> {
    const cluster = await PostgresCluster.#make(endWith);
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
    await cluster.#run('initdb', ['-D', cluster.#data, '-U', USER, '--auth=trust', '--no-sync', ...locale]);
    await cluster.start(settings);
    return cluster;
  }

  static async #make(endWith: typeof endWithTest, port?: number): Promise<PostgresCluster> {
    const programs = await postgresPrograms();
    const folder = await mkdtemp(join(tmpdir(), 'animal-store-postgres-'));
    const cluster = new PostgresCluster(programs, folder, port ?? (await freePort()));
    if (userInfo().uid === 0) {
      const { stdout } = await run('id', ['-u', USER]);
      await chown(folder, Number(stdout), -1);
    }
    endWith(async () => cluster.dispose());
    return cluster;
  }

  /** The URL of one of its databases. */
  url(database = 'postgres'): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it, and resolves once it takes connections. */
  async start(settings: PostgresSettings = {}): Promise<void> {
    const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.#data, '-p', String(this.port), ...flags];
    await until(async () => {
      const child = Child.start(...asUser(join(this.#programs, 'postgres'), args), {
        env: process.env as Environment,
        outlivesTest: true,
      });
      this.#process = child;
      const isReady = (): true | undefined => child.stderr.includes('database system is ready to accept') || undefined;
      try {
        return await child.find(isReady);
      } catch (error) {
        // After a kill, the last processes of the server before it may take a moment to end.
        if (!/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(child.stderr))
          throw error;
        return false;
      }
    });
  }

  /**
   * Makes a standby of it, which streams its changes, and resolves once it does.
   *
   * @param port Where it listens. @default a free port
   */
  async startStandby({ port }: { readonly port?: number } = {}): Promise<PostgresCluster> {
    const standby = await PostgresCluster.#make(endWithTest, port);
    const source = ['-d', this.url(), '--checkpoint=fast', '--wal-method=stream', '--no-sync'];
    await standby.#run('pg_basebackup', ['-D', standby.#data, '-R', ...source]);
    await standby.start();
    await until(async () => {
      const streams = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'";
      return (await this.query(streams)).length > 0;
    });
    return standby;
  }

  /** Lets it acknowledge a commit only once its standby has it on the disk, and resolves once this is so. */
  async waitForStandbys(): Promise<void> {
    await this.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query('SELECT pg_reload_conf()');
    await until(async () => {
      const [row] = await this.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      return row !== undefined;
    });
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Runs a statement as the superuser, and resolves to its rows. */
  async query(sql: string, database?: string): Promise<Record<string, unknown>[]> {
    return query(this.url(database), sql);
  }

  /** Ends it cleanly, with its connections. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGINT');
    await this.#process?.exited;
  }

  /** SIGKILL to all of its processes, as if its machine had failed. */
  async kill(): Promise<void> {
    for (const pid of await this.#pids()) killIfRunning(pid, 'SIGKILL');
    await this.#process?.exited;
  }

  /** SIGKILL to its first process alone. The others notice, and end. */
  async killPostmaster(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
  }

  /** SIGKILL to the process of a connection of the adapter. The server ends all others, and starts again by itself. */
  async killBackend(): Promise<void> {
    const sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'animal-store' LIMIT 1";
    const [row] = await this.query(sql);
    process.kill(row?.['pid'] as number, 'SIGKILL');
  }

  /** SIGSTOP to all of its processes: its connections stay open, and nothing is answered any more. */
  async freeze(): Promise<void> {
    for (const pid of await this.#pids()) killIfRunning(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of (await this.#pids()).reverse()) killIfRunning(pid, 'SIGCONT');
  }

  /** SIGSTOP to the processes that send its changes to standbys. */
  async freezeSenders(): Promise<void> {
    const senders = await this.query('SELECT pid FROM pg_stat_replication');
    for (const { pid } of senders) process.kill(pid as number, 'SIGSTOP');
  }

  /** Ends it, and removes its data. */
  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    await run(...asUser(join(this.#programs, program), args), { cwd: this.#folder });
  }

  /** Its processes, the first one first. A process that it starts meanwhile is missing, unless the first one stands still. */
  async #pids(): Promise<number[]> {
    const pid = this.#process?.pid ?? 0;
    if (pid === 0 || !isRunning(pid)) return [];
    process.kill(pid, 'SIGSTOP');
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch((error: unknown) => {
      // It has none.
      return error as { readonly stdout: string };
    });
    return [pid, ...stdout.trim().split(/\s+/).filter(Boolean).map(Number)];
  }
}

function isRunning(pid: number): boolean {
  return killIfRunning(pid, 0);
}

function killIfRunning(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
