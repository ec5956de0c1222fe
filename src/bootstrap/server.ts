import type { Container, ContainerModule } from 'inversify';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { DEFAULT_BASE_PATH } from '../adapters/http/base-path.js';
import { createHttpServer } from '../adapters/http/server/http-server.js';
import { thisService, type ApiServer } from '../adapters/http/operations/openapi.js';
import { InMemoryApiKeys, type ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { allOf } from './all-of.js';
import { httpModule } from './modules/http-module.js';
import { koaModule } from './modules/koa-module.js';
import { createLog, refusalLog, requestLog } from './log/log.js';
import type { ServedMetrics } from './metrics/serve-metrics.js';
import { MONGODB_METER } from './modules/mongodb-module.js';
import { originOf } from './origin.js';
import { rateLimiterModule } from './modules/rate-limiter-module.js';
import { hasKeyInForce } from './registered-keys.js';
import { ConfigError } from './settings/config-error.js';
import { refuseOutOfRange, SERVER_DEFAULTS, type ServerConfig } from './settings/server-config.js';
import { createStorageContainer, type StorageContainer } from './storage.js';
import { TOKENS } from './tokens.js';

/** How long a connection may stay idle while the server shuts down, in milliseconds. */
const IDLE_GRACE_MS = 1000;

/** The configuration of {@link startServer}. */
export interface StartConfig extends Partial<Omit<ServerConfig, 'store'>> {
  /**
   * What keeps the animals and the keys: `memory`, `mongodb`, the name of a package, the path of a file, or a module that
   * binds `TOKENS.petCatalogue`.
   * @default 'memory'
   */
  readonly store?: string | ContainerModule;
  /** Modules that are loaded last, and may rebind anything: the transport, the keys. @default none */
  readonly modules?: readonly ContainerModule[];
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens: scheme, host, port. */
  readonly origin: string;
  /** The path that every operation is under. */
  readonly basePath: string;
  /** Where the metrics are; left out if `metricsPort` is not given. */
  readonly metricsUrl?: string;
  /** The API key made for this run, if the storage binds no keys and none was configured. */
  readonly apiKey?: string;
  /**
   * Stops listening, serves the requests in flight, closes the storage. Calls after the first return the same promise. A
   * slow client, or a store that does not answer, can delay this: bound it by a time-out of your own.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole server: connects the storage, makes the application, listens.
 *
 * Rejects with a `ConfigError` if the storage cannot be loaded or no API key is in force, with an error that names it for a
 * value that its setting does not take, and with the original error if the storage cannot be connected or the server cannot
 * listen. Nothing stays open then.
 *
 * @param config The values that differ from their defaults.
 * @param log By default on the standard error stream, at the level of the configuration.
 * @example
 * const server = await startServer({ port: 0 });
 * console.log(server.origin, server.apiKey);
 * await server.close();
 */
export async function startServer(config: StartConfig = {}, log?: Logger): Promise<RunningServer> {
  const settings = { ...SERVER_DEFAULTS, ...config };
  refuseOutOfRange(settings);
  const ownLog = log ?? (await createLog(settings));
  const storage = await createStorageContainer(settings, { env: process.env, log: ownLog });
  const server = await startOn(storage, settings, ownLog);
  logStart(ownLog, storage, server);
  return server;
}

/** Logs that the server listens. The command calls it after its greeting, which comes before the log on a terminal. */
export function logStart(log: Logger, { name }: StorageContainer, server: RunningServer): void {
  const { origin, basePath, metricsUrl } = server;
  log.info({ origin, basePath, store: name, metricsUrl }, 'listening');
}

/** What {@link startOn} needs: the storage is loaded already. */
type SettingsOnStorage = Omit<ServerConfig, 'store' | 'mongodbUrl'> & Pick<StartConfig, 'modules'>;

/** Starts the server on a storage that is loaded, but not connected. This is the wiring of the whole server. */
export async function startOn(
  { container, load, abandon }: StorageContainer,
  config: SettingsOnStorage,
  log: Logger,
): Promise<RunningServer> {
  const { host, port, baseUrl, bodyLimit, corsOrigins, shutdownTimeout, modules = [] } = config;
  const { maxConnections, maxInFlight, maxUnsent, rateLimit } = config;
  const basePath = baseUrl === undefined ? DEFAULT_BASE_PATH : new URL(baseUrl).pathname;
  const servers = apiServers(config, basePath);
  let closing: Promise<void> | undefined;
  let metrics: ServedMetrics | undefined;

  // The storage's module has bound the catalogue, and may have bound keys, their registry, and whether it is ready.
  const own = bindOwnKeys(container, config.apiKeys);
  const moreKeys = own === undefined ? config.apiKeys : [];
  const isReady = (): boolean => closing === undefined;
  try {
    metrics = await startMetrics(config, log);
    if (metrics !== undefined) {
      container.bind(TOKENS.storeMeter).toConstantValue(metrics.store);
      container.bind(MONGODB_METER).toConstantValue(metrics.mongodb);
    }
    const onAnswered = allOf(requestLog(log), metrics?.http.onAnswered);
    const interfaceOptions = { basePath, bodyLimit, corsOrigins, maxInFlight, servers, isReady, log, onAnswered };
    container.load(httpModule({ ...interfaceOptions, moreKeys }), koaModule());
    if (rateLimit !== undefined) container.load(rateLimiterModule(rateLimit));
    const areKeysReplaced = (await load(modules)).has(TOKENS.apiKeys);
    if (areKeysReplaced && own !== undefined && config.apiKeys.length > 0) {
      throw new ConfigError(['apiKeys must be left out, because a module binds TOKENS.apiKeys']);
    }
    const apiKey = areKeysReplaced ? undefined : own?.apiKey;

    const handler = await container.getAsync(TOKENS.requestHandler);
    const onRefused = allOf(refusalLog(log), metrics?.http.onRefused);
    const server = createHttpServer(handler, { maxConnections, maxUnsent, onRefused, log });
    metrics?.http.watchInFlight(() => server.requestsInFlight);
    if (config.apiKeys.length === 0 && !areKeysReplaced) await requireKeyInForce(container);
    const address = await server.listen(port, host);

    async function shutDown(): Promise<void> {
      log.info('shutting down');
      try {
        await server.drain(Math.min(IDLE_GRACE_MS, shutdownTimeout / 2));
        await container.unbindAllAsync();
      } finally {
        await metrics?.stop();
      }
      log.info('shut down');
    }

    return {
      origin: originOf(host, address.port),
      basePath,
      ...(metrics !== undefined && { metricsUrl: metrics.url }),
      ...(apiKey !== undefined && { apiKey }),
      close: () => (closing ??= shutDown()),
    };
  } catch (error) {
    await metrics?.stop();
    await abandon(error);
    throw error;
  }
}

/** Serves the metrics if a port is given for them. Only then is their library loaded. */
async function startMetrics(
  { host, metricsPort: port }: SettingsOnStorage,
  log: Logger,
): Promise<ServedMetrics | undefined> {
  if (port === undefined) return undefined;
  const { serveMetrics } = await import('./metrics/serve-metrics.js');
  return serveMetrics({ host, port, log });
}

/**
 * Binds the configured keys, or if there are none, a key for this run. Binds nothing, and returns `undefined`, if the storage
 * has bound keys.
 */
function bindOwnKeys(
  container: Container,
  configured: readonly ApiKeyEntry[],
): { readonly apiKey: string | undefined } | undefined {
  if (container.isBound(TOKENS.apiKeys)) return undefined;
  const apiKey = configured.length > 0 ? undefined : randomBytes(24).toString('base64url');
  const apiKeys = new InMemoryApiKeys(apiKey === undefined ? configured : [{ name: 'this-run', key: apiKey }]);
  container.bind(TOKENS.apiKeys).toConstantValue(apiKeys);
  return { apiKey };
}

/** Rejects with a `ConfigError` if the storage has a registry of keys, and none of them is in force. */
async function requireKeyInForce(container: Container): Promise<void> {
  const registry = await container.getAsync(TOKENS.apiKeyRegistry, { optional: true });
  if (registry === undefined || (await hasKeyInForce(registry))) return;
  throw new ConfigError([
    'API_KEYS must hold a key, because the store has none in force; or make one with animal-store keys create',
  ]);
}

/** The addresses that the OpenAPI document lists. */
function apiServers(
  { baseUrl, stagingBaseUrl }: Pick<ServerConfig, 'baseUrl' | 'stagingBaseUrl'>,
  basePath: string,
): readonly ApiServer[] {
  return [
    baseUrl === undefined ? thisService(basePath) : { url: baseUrl, description: 'Production' },
    ...(stagingBaseUrl === undefined ? [] : [{ url: stagingBaseUrl, description: 'Staging' }]),
  ];
}
