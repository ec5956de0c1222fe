import type { ContainerModule, ServiceIdentifier } from 'inversify';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ResponseLog } from '../adapters/http/pipeline/response-log.js';
import { reference } from '../adapters/http/reference/page.js';
import { createHttpServer } from '../adapters/http/server/http-server.js';
import type { ApiKeyManager } from '../application/api-keys/api-key-manager.js';
import { stateOfApiKey } from '../domain/api-keys/api-key.js';
import { makeApiKeyText } from '../domain/api-keys/api-key-format.js';
import { ConfigError } from './settings/config-error.js';
import { createLog, logResponse } from './log/log.js';
import type { Metrics } from './metrics/metrics.js';
import { httpModule } from './modules/http-module.js';
import { koaModule } from './modules/koa-module.js';
import { MONGODB_METER } from './modules/mongodb-module.js';
import { importWith } from './settings/optional-package.js';
import { refuseOutOfRange, SERVER_DEFAULTS, type ServerConfig } from './settings/settings.js';
import { closeAfterError, createStorage, describeStore } from './stores/storage.js';
import { TOKENS } from './tokens.js';
import { trustedProxies } from './settings/trusted-proxies.js';
import { baseUrlsOf, originOf } from './settings/urls.js';

/** How long a connection may stay idle while the server shuts down, in milliseconds. */
const IDLE_GRACE_MS = 1000;

/** The configuration of {@link startServer}. */
export type StartConfig = Undefinable<Omit<ServerConfig, 'store'>> & {
  /**
   * The store of the animals and the keys: the name of a store of this package or of a package, the path of a file, or a module
   * that binds `TOKENS.petCatalogue`.
   * @default 'memory'
   */
  readonly store?: string | ContainerModule | undefined;
  /**
   * Modules that bind or rebind anything, such as the transport or the keys. Their bindings replace the server's own parts.
   * With modules, the server also starts without an active key.
   * @default none
   */
  readonly modules?: readonly ContainerModule[] | undefined;
};

/** The same members, each of which may be left out or `undefined`. */
type Undefinable<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A running server. */
export interface RunningServer {
  /** Where it listens: scheme, host, port. */
  readonly origin: string;
  /** The base path of every operation. */
  readonly basePath: string;
  /** The URL of the metrics, if `metricsPort` is set. */
  readonly metricsUrl: string | undefined;
  /** The API key made for this run, if neither the store nor a module binds keys, and none was configured. */
  readonly apiKey: string | undefined;
  /** The store, as it was named; `module` for a module. */
  readonly store: string;
  /** What to know of the store: of memory, that animals are lost when the server ends; of sqlite, the absolute path of its file. */
  readonly note: string | undefined;
  /**
   * Stops listening, serves the requests in flight, closes the storage. Calls after the first return the same promise. A slow
   * client, or a store that does not answer, can delay this: set your own time-out.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole server: connects the storage, creates the application, listens. This is the wiring of the whole server.
 *
 * Rejects with a `ConfigError`, which names the setting, if the configuration cannot be used; with a `TypeError` for a value out
 * of range; and with the original error if the storage cannot be connected. Then everything that was opened is closed, or is
 * being closed.
 *
 * @param config The values that differ from their defaults.
 * @param log By default on the standard error stream, at the level of the configuration.
 * @example
 * const server = await startServer({ port: 0 });
 * console.log(server.origin, server.apiKey);
 * await server.close();
 */
export async function startServer(config: StartConfig = {}, log?: Logger): Promise<RunningServer> {
  const settings = settingsOf(config);
  refuseOutOfRange(settings);
  const { host, port, metricsPort, apiKeys, rateLimit, modules = [] } = settings;
  if (metricsPort === port && port !== 0) throw new ConfigError('--port and --metrics-port must differ');
  const { basePath, servers } = baseUrlsOf(settings);
  const trustProxy = settings.trustProxy.length === 0 ? undefined : trustedProxies(settings.trustProxy);
  const serverLog = log ?? (await createLog(settings.logLevel));

  const container = await createStorage(config, serverLog);
  // A binding of the store or of a module replaces the server's own part.
  const isFree = (identifier: ServiceIdentifier): boolean => !container.isBound(identifier);
  let metrics: Metrics | undefined;
  let requestsInFlight = (): number => 0;
  let closing: Promise<void> | undefined;

  function report(response: ResponseLog): void {
    logResponse(serverLog, response);
    metrics?.http.onResponse(response);
  }

  try {
    await container.loadAsync(...modules);
    if (metricsPort !== undefined) {
      // Here and below: loads a package only if a setting needs it, so that it need not be installed otherwise.
      const { createMetrics } = await importWith(
        'prom-client',
        '--metrics-port',
        async () => import('./metrics/metrics.js'),
      );
      metrics = createMetrics(serverLog, () => requestsInFlight());
      if (isFree(TOKENS.storeMeter)) container.bind(TOKENS.storeMeter).toConstantValue(metrics.store);
      container.bind(MONGODB_METER).toConstantValue(metrics.mongodb);
    }
    if (rateLimit !== undefined && isFree(TOKENS.rateLimiter)) {
      const { rateLimiterModule } = await importWith(
        'rate-limiter-flexible',
        '--rate-limit',
        async () => import('./modules/rate-limiter-module.js'),
      );
      container.load(rateLimiterModule(rateLimit));
    }
    const apiKey = apiKeys.length === 0 && isFree(TOKENS.apiKeys) ? makeApiKeyText(randomBytes(32)) : undefined;
    if (isFree(TOKENS.httpOptions)) {
      container.load(
        httpModule({
          basePath,
          servers,
          trustProxy,
          reference,
          bodyLimit: settings.bodyLimit,
          corsOrigins: settings.corsOrigins,
          maxInFlight: settings.maxInFlight,
          moreKeys: apiKey === undefined ? apiKeys : [{ name: 'this-run', key: apiKey }],
          isReady: () => closing === undefined,
          log: serverLog,
          // Without a log and metrics, describing a response would only cost time.
          onResponse: metrics !== undefined || serverLog.isLevelEnabled('info') ? report : undefined,
        }),
      );
    }
    if (isFree(TOKENS.requestHandler)) container.load(koaModule());

    const handler = await container.getAsync(TOKENS.requestHandler);
    if (apiKeys.length === 0 && modules.length === 0 && !isFree(TOKENS.apiKeyRegistry)) {
      await requireActiveKey(await container.getAsync(TOKENS.apiKeyManager));
    }
    const server = createHttpServer(handler, {
      maxConnections: settings.maxConnections,
      keepAliveTimeout: settings.keepAliveTimeout,
      trustProxy,
      log: serverLog,
      onRejected(rejection) {
        serverLog.debug(rejection, 'refused');
        metrics?.http.onRejected(rejection);
      },
    });
    requestsInFlight = () => server.requestsInFlight;
    const metricsUrl = metrics && (await listening('--metrics-port', metrics.listen(metricsPort ?? 0, host)));
    const address = await listening('--port', server.listen(port, host));
    const origin = originOf(host, address.port);
    const description = describeStore(config);
    serverLog.info({ origin, basePath, ...description, metricsUrl }, 'listening');

    async function shutDown(): Promise<void> {
      serverLog.info('shutting down');
      try {
        await server.drain(Math.min(IDLE_GRACE_MS, settings.shutdownTimeout / 2));
        await container.unbindAllAsync();
      } finally {
        await metrics?.close();
      }
      serverLog.info('shut down');
    }

    return { origin, basePath, metricsUrl, apiKey, ...description, close: () => (closing ??= shutDown()) };
  } catch (error) {
    await metrics?.close();
    await closeAfterError(container, serverLog, error);
    throw error;
  }
}

/** The configuration with the defaults of what it leaves out. */
function settingsOf(config: StartConfig) {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  return { ...SERVER_DEFAULTS, ...(given as Partial<ServerConfig> & Pick<StartConfig, 'modules' | 'store'>) };
}

/** The errors of a listener that its host causes, beside a name that cannot be resolved: it is no address of this machine. */
const HOST_ERRORS: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

/** The address of a listener. An error names the setting that causes it. */
async function listening<T>(portSetting: string, listen: Promise<T>): Promise<T> {
  return listen.catch((cause: unknown) => {
    const { syscall, code, message } = cause as NodeJS.ErrnoException;
    const isOfHost = syscall === 'getaddrinfo' || HOST_ERRORS.includes(code);
    throw new Error(`${isOfHost ? '--host' : portSetting}: ${message}`, { cause });
  });
}

/** Rejects with a `ConfigError` if no key in the store is active. */
async function requireActiveKey(manager: ApiKeyManager): Promise<void> {
  for await (const key of manager.list()) if (stateOfApiKey(key, new Date()) === 'active') return;
  throw new ConfigError(
    'API_KEYS must contain a key, because the store has no active one; or make one: animal-store keys create --name NAME, with the store of this server',
  );
}
