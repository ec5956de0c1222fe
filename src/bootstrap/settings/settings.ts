import { InvalidArgumentError, Option, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import type { LevelWithSilent } from 'pino';
import { DEFAULT_BASE_PATH } from '../../adapters/http/pipeline/target.js';
import {
  BODY_LIMIT_MAX,
  DEFAULT_BODY_LIMIT,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_TIMEOUTS,
} from '../../adapters/http/pipeline/limits.js';
import type { ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { DEFAULT_DEADLINE_MS } from '../../adapters/mongodb/operation.js';
import { DEFAULT_DEADLINE_MS as POSTGRES_DEADLINE_MS } from '../../adapters/postgres/timeouts.js';
import { ConfigError } from './config-error.js';
import { envFile } from './environment.js';
import {
  apiKeys,
  baseUrl,
  bytes,
  corsOrigins,
  databaseFile,
  integer,
  milliseconds,
  proxies,
  rate,
  text,
  TIMER_MAX_MS,
  urlHost,
  type Parse,
} from './values.js';

interface Setting<T> extends Option {
  readonly defaultValue: T;
}

type Settings = Readonly<Record<string, Setting<unknown>>>;

export type Values<S extends Settings> = { readonly [K in keyof S]: S[K]['defaultValue'] };

/** The variable is named after the flag, which overrides it: `--body-limit` and `BODY_LIMIT`. `shown` is the default as users write it. */
function setting<T>(flags: string, help: string, parse: Parse<T>): Setting<T | undefined>;
function setting<T>(flags: string, help: string, parse: Parse<T>, value: NoInfer<T>, shown?: string): Setting<T>;
function setting<T>(flags: string, help: string, parse: Parse<T>, value?: T, shown?: string): Option {
  const option = new Option(flags, help).argParser(parse);
  if (value !== undefined) option.default(value, shown);
  return option.env(option.name().toUpperCase().replaceAll('-', '_'));
}

const LOG_LEVELS: readonly LevelWithSilent[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const ENV_FILE = new Option(
  '--env-file <file>',
  'a file of variables, as node --env-file reads it; those that are set already win',
).argParser(envFile);

const DATABASE_SETTINGS = {
  sqliteFile: setting('--sqlite-file <file>', 'the file of the store sqlite', databaseFile, 'animal-store.db'),
  mongodbDeadline: setting(
    '--mongodb-deadline <ms>',
    'how long one operation on MongoDB may take: milliseconds, or a time such as 5s',
    milliseconds(1, TIMER_MAX_MS - 1000),
    DEFAULT_DEADLINE_MS,
  ),
  postgresDeadline: setting(
    '--postgres-deadline <ms>',
    'how long one operation on PostgreSQL may take: milliseconds, or a time such as 5s',
    milliseconds(1, TIMER_MAX_MS),
    POSTGRES_DEADLINE_MS,
  ),
};

/** The animals must outlive the command. */
export const STORE_SETTINGS = {
  store: setting(
    '--store <store>',
    'where the data is kept: sqlite, mongodb, postgres, a package, or a file (./…, /…) (default: mongodb if MONGODB_URL is set, postgres if POSTGRES_URL is, sqlite if --sqlite-file is given)',
    text,
  ),
  ...DATABASE_SETTINGS,
};

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 3000;

export const HEALTH_SETTINGS = {
  host: setting('--host <address>', 'the host of the service', urlHost, DEFAULT_HOST),
  port: setting('--port <n>', 'the port of the service', integer(1, 65_535), DEFAULT_PORT),
};

export const BASE_URL_SETTINGS = {
  baseUrl: setting(
    '--base-url <url>',
    `the production address; its path is the base path and ends in /v1 (default: http://<host>:<port>${DEFAULT_BASE_PATH})`,
    baseUrl,
  ),
  stagingBaseUrl: setting('--staging-base-url <url>', 'the staging address, listed in the OpenAPI document', baseUrl),
};

/** Every setting of `animal-store serve` but the secrets. */
export const SERVE_SETTINGS = {
  host: setting('--host <address>', 'the address to listen on', text, DEFAULT_HOST),
  port: setting('--port <n>', 'the port to listen on; 0 picks a free port', integer(0, 65_535), DEFAULT_PORT),
  store: setting(
    '--store <store>',
    'where the animals and the keys are kept: memory, sqlite, mongodb, postgres, a package, or a file (./…, /…)',
    text,
    'memory',
  ),
  ...DATABASE_SETTINGS,
  ...BASE_URL_SETTINGS,
  bodyLimit: setting(
    '--body-limit <bytes>',
    'the largest request body: bytes, or a size such as 64KiB',
    bytes(1, BODY_LIMIT_MAX),
    DEFAULT_BODY_LIMIT,
  ),
  corsOrigin: setting(
    '--cors-origin <origins>',
    'the origins whose pages may call the service, comma-separated, or * for all',
    corsOrigins,
    [],
    'none',
  ),
  trustProxy: setting(
    '--trust-proxy <proxies>',
    'the reverse proxies whose X-Forwarded-For is believed: addresses, ranges such as 10.0.0.0/8, loopback, private; comma-separated',
    proxies,
    [],
    'none',
  ),
  rateLimit: setting('--rate-limit <rate>', 'the requests of each key in one process, such as 100/s or 1000/m', rate),
  maxConnections: setting(
    '--max-connections <n>',
    'the maximum number of open connections',
    integer(1, 1_000_000),
    DEFAULT_MAX_CONNECTIONS,
  ),
  maxInFlight: setting(
    '--max-in-flight <n>',
    'the maximum number of requests that wait for the store',
    integer(1, 1_000_000),
    1000,
  ),
  metricsPort: setting(
    '--metrics-port <n>',
    'a port on the same host for metrics in the format of Prometheus, at /metrics; 0 picks a free port',
    integer(0, 65_535),
  ),
  logLevel: setting(
    '--log-level <level>',
    'the lowest level that is logged; info has one line for each request',
    text as Parse<LevelWithSilent>,
    'info',
  ).choices(LOG_LEVELS),
  shutdownTimeout: setting(
    '--shutdown-timeout <ms>',
    'how long a shutdown may take: milliseconds, or a time such as 10s',
    milliseconds(1000, TIMER_MAX_MS),
    10_000,
  ),
  keepAliveTimeout: setting(
    '--keep-alive-timeout <ms>',
    'how long an idle connection stays open, longer than a load balancer keeps it: milliseconds, or a time such as 10m',
    milliseconds(1000, 86_400_000),
    DEFAULT_TIMEOUTS.keepAliveTimeout,
    '65s',
  ),
};

/** The configuration of the server. An optional value that is not set is `undefined`. */
export interface ServerConfig extends Omit<ServeOptions, 'corsOrigin'> {
  readonly corsOrigins: readonly string[];
  readonly mongodbUrl: string | undefined;
  readonly postgresUrl: string | undefined;
  readonly apiKeys: readonly ApiKeyEntry[];
}

export type StoreUrls = Pick<ServerConfig, 'mongodbUrl' | 'postgresUrl'>;

/** The values of {@link SERVE_SETTINGS}, as commander names them: by their flags. */
export type ServeOptions = Values<typeof SERVE_SETTINGS>;

const { corsOrigin, ...DEFAULT_OPTIONS } = Object.fromEntries(
  Object.entries(SERVE_SETTINGS).map(([name, { defaultValue }]) => [name, defaultValue]),
) as ServeOptions;

export const SERVER_DEFAULTS: ServerConfig = {
  ...DEFAULT_OPTIONS,
  corsOrigins: corsOrigin,
  mongodbUrl: undefined,
  postgresUrl: undefined,
  apiKeys: [],
};

export function addSettings(command: Command, settings: Settings): Command {
  for (const option of [...Object.values(settings), ENV_FILE]) command.addOption(option);
  return command;
}

/** Without defaults. */
export function givenOptions<T extends object>(command: Command): Partial<T> {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) !== 'default';
  return Object.fromEntries(Object.entries(command.opts<T>()).filter(([name]) => isGiven(name))) as Partial<T>;
}

/** The secrets, which are never options: command lines are visible to all users of a machine, and messages quote options. */
export const readSecrets = {
  /** The URLs of databases, which may have passwords in them. */
  storeUrls: (): StoreUrls => ({
    mongodbUrl: secretOf('MONGODB_URL', text),
    postgresUrl: secretOf('POSTGRES_URL', text),
  }),
  apiKeys: (): readonly ApiKeyEntry[] => secretOf('API_KEYS', apiKeys) ?? [],
  apiKey: (): string | undefined => secretOf('API_KEY', text),
};

/** White space at the end of a secret does not count. */
function secretOf<T>(variable: string, parse: Parse<T>): T | undefined {
  const file = process.env[`${variable}_FILE`];
  let [name, secret] = [variable, process.env[variable]];
  if (file !== undefined) {
    name = `the file that ${variable}_FILE names`;
    if (secret !== undefined) throw new ConfigError(`${variable} and ${variable}_FILE are both set`);
    try {
      secret = readFileSync(file, 'utf8');
    } catch (error) {
      throw new ConfigError(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  if (secret === undefined) return undefined;
  try {
    return parse(secret.trimEnd());
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new ConfigError(`${name} is invalid. ${error.message}`);
    throw error;
  }
}

/** @throws TypeError for a text or a number that neither a flag nor a variable could have. */
export function refuseOutOfRange(config: Readonly<Record<string, unknown>>): void {
  for (const [name, option] of Object.entries<Option>(SERVE_SETTINGS)) {
    const value = config[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    try {
      option.parseArg?.(String(value), undefined);
    } catch (error) {
      throw new TypeError(`${name} is invalid. ${(error as Error).message}`, { cause: error });
    }
  }
}
