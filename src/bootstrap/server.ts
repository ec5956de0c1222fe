import type { ContainerModule, ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import { reference } from '../adapters/http/reference/page.js';
import { createHttpServer } from '../adapters/http/server/http-server.js';
import { baseUrlsOf } from './base-urls.js';
import { httpModule } from './modules/http-module.js';
import { koaModule } from './modules/koa-module.js';
import { createLog, logAnswered } from './log/log.js';
import type { ServedMetrics } from './metrics/metrics.js';
import { MONGODB_METER } from './modules/mongodb-module.js';
import { importWith } from './optional-package.js';
import { originOf } from './origin.js';
import { commandToCreateKey, requireActiveKey, serverKeys } from './server-keys.js';
import type { NameOf } from './settings/read-settings.js';
import { refuseOutOfRange, SERVER_DEFAULTS, type ServerConfig } from './server-config.js';
import { loadStorage, type LoadedStorage } from './storage.js';
import { TOKENS } from './tokens.js';
import { trustedProxies } from './trusted-proxies.js';

/** How long a connection may stay idle while the server shuts down, in milliseconds. */
const IDLE_GRACE_MS = 1000;

/** The note about a store that loses its animals, for the greeting and the log. */
export const LOSS_NOTE = 'animals are lost when the server ends';

/** The configuration of {@link startServer}. */
export interface StartConfig extends Partial<Omit<ServerConfig, 'store'>> {
  /**
   * The store of the animals and the keys: the name of a built-in store or of a package, the path of a file, or a module that
   * binds `TOKENS.petCatalogue`.
   * @default 'memory'
   */
  readonly store?: string | ContainerModule;
  /**
   * Modules that bind or rebind anything, such as the transport or the keys. Their bindings replace the server's own parts.
   * With modules, the server also starts without an active key.
   * @default none
   */
  readonly modules?: readonly ContainerModule[];
}

/** A running server. */
export interface RunningServer {
  /** Where it listens: scheme, host, port. */
  readonly origin: string;
  /** The base path of every operation. */
  readonly basePath: string;
  /** The URL of the metrics; missing if `metricsPort` is not set. */
  readonly metricsUrl?: string;
  /** The API key made for this run, if neither the store nor a module binds keys, and none was configured. */
  readonly apiKey?: string;
  /**
   * Stops listening, serves the requests in flight, closes the storage. Calls after the first return the same promise. A slow
   * client, or a store that does not answer, can delay this: set your own time-out.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole server: connects the storage, creates the application, listens.
 *
 * Rejects with a `ConfigError` if the storage cannot be loaded or no API key is active; with an error that names the setting
 * for an invalid value; and with the original error if the storage cannot be connected or the server cannot listen. Then
 * everything that was opened is closed, or is being closed.
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
  const storage = await loadStorage(settings, { env: process.env, log: ownLog });
  const server = await startOn(storage, settings, ownLog);
  logStart(ownLog, storage, server);
  return server;
}

/** Logs that the server listens. The command calls this after its greeting, which comes before the log on a terminal. */
export function logStart(log: Logger, { name, ephemeral }: LoadedStorage, server: RunningServer): void {
  const { origin, basePath, metricsUrl } = server;
  const note = ephemeral ? LOSS_NOTE : undefined;
  log.info({ origin, basePath, store: name, metricsUrl, note }, 'listening');
}

/** The configuration of {@link startOn}, which gets a loaded storage. */
interface ConfigOnStorage extends Omit<ServerConfig, 'store'>, Pick<StartConfig, 'modules' | 'store'> {}

/**
 * Starts the server on a storage that is loaded, but not connected. This is the wiring of the whole server.
 *
 * @param nameOf Returns the name of a setting for an error message.
 */
export async function startOn(
  { container, abandon }: LoadedStorage,
  config: ConfigOnStorage,
  log: Logger,
  nameOf: NameOf<keyof ServerConfig> = (name) => name,
): Promise<RunningServer> {
  const { host, port, metricsPort, bodyLimit, corsOrigins, shutdownTimeout, apiKeys, modules = [] } = config;
  const { maxConnections, maxInFlight, rateLimit, keepAliveTimeout } = config;
  const { basePath, servers } = baseUrlsOf(config);
  let closing: Promise<void> | undefined;
  let metrics: ServedMetrics | undefined;

  try {
    if (metricsPort !== undefined) {
      // Here and below: loads a package only if a setting needs it, so that it need not be installed otherwise.
      const { serveMetrics } = await importWith(
        'prom-client',
        nameOf('metricsPort'),
        async () => import('./metrics/metrics.js'),
      );
      metrics = await serveMetrics(host, metricsPort, log);
    }
    const trustProxy = config.trustProxy.length === 0 ? undefined : trustedProxies(config.trustProxy);
    await container.loadAsync(...modules);
    const { moreKeys, apiKey } = serverKeys(container, apiKeys);
    // A binding of the store or of a module replaces the server's own part.
    const isFree = (identifier: ServiceIdentifier): boolean => !container.isBound(identifier);
    if (metrics !== undefined) {
      if (isFree(TOKENS.storeMeter)) container.bind(TOKENS.storeMeter).toConstantValue(metrics.store);
      container.bind(MONGODB_METER).toConstantValue(metrics.mongodb);
    }
    // To describe a request that nobody reads of would only cost time.
    const isReported = metrics !== undefined || log.isLevelEnabled('info');
    if (isFree(TOKENS.httpOptions)) {
      const module = httpModule({
        basePath,
        bodyLimit,
        corsOrigins,
        maxInFlight,
        servers,
        isReady: () => closing === undefined,
        log,
        onResponse: isReported
          ? (answered) => {
              logAnswered(log, answered);
              metrics?.http.onResponse(answered);
            }
          : undefined,
        trustProxy,
        reference,
        moreKeys,
      });
      container.load(module);
    }
    if (isFree(TOKENS.requestHandler)) container.load(koaModule());
    if (rateLimit !== undefined && isFree(TOKENS.rateLimiter)) {
      const { rateLimiterModule } = await importWith(
        'rate-limiter-flexible',
        nameOf('rateLimit'),
        async () => import('./modules/rate-limiter-module.js'),
      );
      container.load(rateLimiterModule(rateLimit));
    }

    const handler = await container.getAsync(TOKENS.requestHandler);
    const server = createHttpServer(handler, {
      maxConnections,
      keepAliveTimeout,
      onRejected(refusal) {
        log.debug(refusal, 'refused');
        metrics?.http.onRejected(refusal);
      },
      trustProxy,
      log,
    });
    metrics?.http.watchInFlight(() => server.requestsInFlight);
    if (apiKeys.length === 0 && modules.length === 0) {
      await requireActiveKey(container, `${nameOf('apiKeys')} must contain a key`, commandToCreateKey(config));
    }
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
