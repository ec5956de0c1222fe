import type { ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { defaultsOf, readSettings, type Values } from './read-settings.js';
import { apiKeys, baseUrl, integer, oneOf, secret, setting, text } from './settings.js';

/** What can store the animals and the keys. */
export const STORES = ['memory', 'mongodb'] as const;

/** From the most to the least talkative; `silent` turns logging off. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The settings that say where animals and keys are. */
export const STORE_SETTINGS = {
  store: setting<(typeof STORES)[number]>(
    'STORE',
    'where animals and keys are: memory or mongodb',
    oneOf(STORES),
    'memory',
  ),
  mongodbUrl: secret<string | undefined>(
    'MONGODB_URL',
    'the MongoDB deployment and database; needed with the store mongodb',
    text,
    undefined,
  ),
};

const MONGODB_URL_RULE =
  'must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], reserved characters percent-encoded';

/** Every setting of `animal-store serve`. */
export const SERVE_SETTINGS = {
  host: setting('HOST', 'the address to listen on', text, '127.0.0.1'),
  port: setting('PORT', 'the port to listen on; 0 takes a free one', integer(0, 65_535), 3000),
  ...STORE_SETTINGS,
  apiKeys: secret<readonly ApiKeyEntry[]>('API_KEYS', 'comma-separated, each name:key', apiKeys, []),
  baseUrl: setting<string | undefined>(
    'BASE_URL',
    'the production address; its path, which ends in /v1, is the base path (default http://<host>:<port>/v1)',
    baseUrl,
    undefined,
  ),
  stagingBaseUrl: setting<string | undefined>(
    'STAGING_BASE_URL',
    'the staging address, listed in the OpenAPI document',
    baseUrl,
    undefined,
  ),
  bodyLimit: setting('BODY_LIMIT', "the greatest size of a request's body, in bytes", integer(1, 2 ** 28), 65_536),
  logLevel: setting<(typeof LOG_LEVELS)[number]>('LOG_LEVEL', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS), 'info'),
  shutdownTimeout: setting('SHUTDOWN_TIMEOUT', 'how long a shutdown may take, in ms', integer(1, 2 ** 31 - 1), 10_000),
};

/** What the server needs to know; a value that may be left out is `undefined` then. */
export type ServerConfig = Values<typeof SERVE_SETTINGS>;

/** The configuration where nothing is given. */
export const SERVER_DEFAULTS: ServerConfig = defaultsOf(SERVE_SETTINGS);

/**
 * The configuration of the server, by the flags of its command line and by environment variables.
 *
 * Rejects with a `ConfigError` which lists every fault.
 */
export async function loadServerConfig(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServerConfig> {
  const { values } = await readSettings(SERVE_SETTINGS, { args, env }, { check: storeFaults });
  return values;
}

/** What is wrong with the settings of a store together. The driver, which knows its URLs, is loaded only for one. */
export async function storeFaults({ store, mongodbUrl }: Values<typeof STORE_SETTINGS>): Promise<readonly string[]> {
  if (mongodbUrl === undefined) return store === 'mongodb' ? ['MONGODB_URL is needed with the store mongodb'] : [];
  const { isMongodbUrl } = await import('../adapters/mongodb/mongodb-client.js');
  return isMongodbUrl(mongodbUrl) ? [] : [`MONGODB_URL ${MONGODB_URL_RULE}`];
}
