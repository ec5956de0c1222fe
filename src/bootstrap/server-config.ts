import { DEFAULT_BASE_PATH } from '../adapters/http/pipeline/target.js';
import {
  BODY_LIMIT_MAX,
  DEFAULT_BODY_LIMIT,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_TIMEOUTS,
} from '../adapters/http/pipeline/limits.js';
import { readSettings } from './settings/read-settings.js';
import { defaultsOf, secret, setting, type Setting, type Values } from './settings/setting.js';
import { BUILT_IN_SETTINGS, STORE_NAMES, storeName } from './modules/built-in-stores.js';
import {
  apiKeys,
  baseUrl,
  bytes,
  corsOrigins,
  integer,
  milliseconds,
  oneOf,
  proxies,
  rate,
  seconds,
  text,
  TIMER_MAX_MS,
} from './settings/value-types.js';

/** The levels of the log, from the most to the least verbose. `silent` turns logging off. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every setting of `animal-store serve`. */
export const SERVE_SETTINGS = {
  host: setting('HOST', 'the address to listen on', text('host'), '127.0.0.1'),
  port: setting('PORT', 'the port to listen on; 0 takes a free one', integer(0, 65_535), 3000),
  store: setting(
    'STORE',
    `where the animals and the keys are kept: ${STORE_NAMES}, a package, or a file (./…, /…)`,
    storeName,
    'memory',
  ),
  ...BUILT_IN_SETTINGS,
  apiKeys: secret('API_KEYS', 'comma-separated, each name:key', apiKeys, []),
  baseUrl: setting(
    'BASE_URL',
    `the production address; its path is the base path and ends in /v1 (default http://<host>:<port>${DEFAULT_BASE_PATH})`,
    baseUrl,
  ),
  stagingBaseUrl: setting('STAGING_BASE_URL', 'the staging address, listed in the OpenAPI document', baseUrl),
  bodyLimit: setting(
    'BODY_LIMIT',
    'the largest request body: bytes, or a size such as 64KiB',
    bytes(1, BODY_LIMIT_MAX),
    DEFAULT_BODY_LIMIT,
  ),
  corsOrigins: setting(
    'CORS_ORIGIN',
    'the origins whose pages may call the service, comma-separated, or * for all (default none)',
    corsOrigins,
    [],
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'the reverse proxies whose X-Forwarded-For is believed: addresses, ranges such as 10.0.0.0/8, loopback, private; comma-separated (default none)',
    proxies,
    [],
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    'how many requests each key may make of this process, such as 100/s or 1000/m (default no limit)',
    rate,
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    'the maximum number of open connections',
    integer(1, 1_000_000),
    DEFAULT_MAX_CONNECTIONS,
  ),
  maxInFlight: setting(
    'MAX_IN_FLIGHT',
    'the maximum number of requests that wait for the store',
    integer(1, 1_000_000),
    1000,
  ),
  metricsPort: setting(
    'METRICS_PORT',
    'a port on the same host for metrics in the format of Prometheus, at /metrics; 0 takes a free one (default none)',
    integer(0, 65_535),
  ),
  logLevel: setting('LOG_LEVEL', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS), 'info'),
  shutdownTimeout: setting(
    'SHUTDOWN_TIMEOUT',
    'how long a shutdown may take: milliseconds, or a time such as 10s',
    milliseconds(1, TIMER_MAX_MS),
    10_000,
  ),
  keepAliveTimeout: setting(
    'KEEP_ALIVE_TIMEOUT',
    'how long an idle connection stays open, longer than a load balancer keeps it: milliseconds, or a time such as 10m',
    seconds(1000, 86_400_000),
    DEFAULT_TIMEOUTS.keepAliveTimeout,
  ),
};

/** The configuration of the server. An optional value that is not set is `undefined`. */
export type ServerConfig = Values<typeof SERVE_SETTINGS>;

export const SERVER_DEFAULTS: ServerConfig = defaultsOf(SERVE_SETTINGS);

/**
 * Reads the configuration of the server from the flags of a command line and from environment variables, for
 * `startServer`, which loads the store.
 *
 * Rejects with a `ConfigError` that lists every error of the flags and the variables.
 */
export async function loadServerConfig(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServerConfig> {
  const { values } = await readSettings(SERVE_SETTINGS, { args, env });
  return values;
}

/**
 * Refuses a text or a number that neither a flag nor a variable could have. Keys, origins and rates are checked where they are
 * used.
 *
 * @throws TypeError
 */
export function refuseOutOfRange(config: Readonly<Record<string, unknown>>): void {
  for (const [name, { type }] of Object.entries<Setting<unknown>>(SERVE_SETTINGS)) {
    const value = config[name];
    if (type === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const result = type.read(String(value));
    if ('error' in result) throw new TypeError(`${name} ${result.error}`);
  }
}
