import type { Container, ContainerModule } from 'inversify';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ProxyTrust, ResponseLog } from '../adapters/http/pipeline/response-log.js';
import { reference } from '../adapters/http/reference/page.js';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../adapters/http/server/http-server.js';
import { stateOfApiKey } from '../domain/api-keys/api-key.js';
import { makeApiKeyText } from '../domain/api-keys/api-key-format.js';
import { ConfigError } from './settings/config-error.js';
import { createLog, logResponse } from './log/log.js';
import type { Metrics } from './metrics/metrics.js';
import { httpModule } from './modules/http-module.js';
import { koaModule } from './modules/koa-module.js';
import { MONGODB_METER } from './modules/mongodb-module.js';
import { POSTGRES_METER } from './modules/postgres-module.js';
import { importWith } from './settings/optional-package.js';
import { refuseOutOfRange, SERVER_DEFAULTS, type ServerConfig } from './settings/settings.js';
import { closeAfterError, createStorage, describeStore } from './stores/storage.js';
import { TOKENS } from './tokens.js';
import { trustedProxies } from './settings/trusted-proxies.js';
import { baseUrlsOf, originOf } from './settings/urls.js';

/** How long a connection may stay idle while the server shuts down. */
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
  const serverLog = log ?? (await createLog(settings.logLevel));
  const context: Context = {
    settings,
    ...baseUrlsOf(settings),
    trustProxy: settings.trustProxy.length === 0 ? undefined : trustedProxies(settings.trustProxy),
    log: serverLog,
    metrics: await metricsOf(settings, serverLog),
    stopping: new AbortController(),
  };
  const container = await createStorage(config, context.log);
  try {
    // What a store or a module has bound replaces the server's own part.
    await container.loadAsync(...settings.modules);
    bindMeters(container, context);
    await bindRateLimiter(container, context);
    const apiKey = bindHttpOptions(container, context);
    if (!container.isBound(TOKENS.requestHandler)) container.load(koaModule());

    const handler = await container.getAsync(TOKENS.requestHandler);
    await requireActiveKey(container, context);
    const server = createHttpServer(handler, serverOptionsOf(context));
    const addresses = await listen(server, context);

    const { basePath } = context;
    const description = describeStore(config);
    context.log.info({ ...addresses, basePath, ...description }, 'listening');
    let closing: Promise<void> | undefined;
    return {
      ...addresses,
      basePath,
      apiKey,
      ...description,
      close: () => (closing ??= shutDown(server, container, context)),
    };
  } catch (error) {
    await context.metrics?.close();
    await closeAfterError(container, context.log, error);
    throw error;
  }
}

interface Context extends ReturnType<typeof baseUrlsOf> {
  readonly settings: ReturnType<typeof settingsOf>;
  readonly trustProxy: ProxyTrust | undefined;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  /** Aborted when the shutdown begins. */
  readonly stopping: AbortController;
}

/** @throws TypeError for a value out of its range. @throws ConfigError if both listeners have the same port. */
function settingsOf(config: StartConfig) {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  const settings = {
    ...SERVER_DEFAULTS,
    modules: [] as readonly ContainerModule[],
    ...(given as Partial<ServerConfig> & Pick<StartConfig, 'store'>),
  };
  refuseOutOfRange(settings);
  const { port, metricsPort } = settings;
  if (metricsPort === port && port !== 0) throw new ConfigError('--port and --metrics-port must differ');
  return settings;
}

/** Loads a package only if the setting needs it, so that it need not be installed otherwise. */
async function metricsOf({ metricsPort }: ServerConfig, log: Logger): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await importWith(
    'prom-client',
    '--metrics-port',
    async () => import('./metrics/metrics.js'),
  );
  return createMetrics(metricsPort, log);
}

function bindMeters(container: Container, { metrics }: Context): void {
  if (metrics === undefined) return;
  if (!container.isBound(TOKENS.storeMeter)) container.bind(TOKENS.storeMeter).toConstantValue(metrics.store);
  container.bind(MONGODB_METER).toConstantValue(metrics.mongodb);
  container.bind(POSTGRES_METER).toConstantValue(metrics.postgres);
}

async function bindRateLimiter(container: Container, { settings }: Context): Promise<void> {
  if (settings.rateLimit === undefined || container.isBound(TOKENS.rateLimiter)) return;
  const { rateLimiterModule } = await importWith(
    'rate-limiter-flexible',
    '--rate-limit',
    async () => import('./modules/rate-limiter-module.js'),
  );
  container.load(rateLimiterModule(settings.rateLimit));
}

/** @returns The key for this run, if no keys are bound or configured. */
function bindHttpOptions(container: Container, context: Context): string | undefined {
  const { settings, basePath, servers, trustProxy, log, stopping } = context;
  const { bodyLimit, corsOrigins, maxInFlight, apiKeys } = settings;
  const isWithoutKeys = apiKeys.length === 0 && !container.isBound(TOKENS.apiKeys);
  const apiKey = isWithoutKeys ? makeApiKeyText(randomBytes(32)) : undefined;
  if (!container.isBound(TOKENS.httpOptions)) {
    container.load(
      httpModule({
        basePath,
        servers,
        trustProxy,
        reference,
        bodyLimit,
        corsOrigins,
        maxInFlight,
        moreKeys: apiKey === undefined ? apiKeys : [{ name: 'this-run', key: apiKey }],
        isReady: () => !stopping.signal.aborted,
        log,
        onResponse: reporterOf(context),
      }),
    );
  }
  return apiKey;
}

/** Describing a response that nobody logs or measures would only cost time. */
function reporterOf({ log, metrics }: Context): ((response: ResponseLog) => void) | undefined {
  if (metrics === undefined && !log.isLevelEnabled('info')) return undefined;
  return (response) => {
    logResponse(log, response);
    metrics?.http.onResponse(response);
  };
}

/** Rejects with a `ConfigError` if only the store has keys, and none of them is active. */
async function requireActiveKey(container: Container, { settings: { apiKeys, modules } }: Context): Promise<void> {
  if (apiKeys.length > 0 || modules.length > 0 || !container.isBound(TOKENS.apiKeyRegistry)) return;
  const manager = await container.getAsync(TOKENS.apiKeyManager);
  for await (const key of manager.list()) if (stateOfApiKey(key, new Date()) === 'active') return;
  throw new ConfigError(
    'API_KEYS must contain a key, because the store has no active one; or make one: animal-store keys create --name NAME, with the store of this server',
  );
}

function serverOptionsOf({ settings, trustProxy, log, metrics }: Context): HttpServerOptions {
  const { maxConnections, keepAliveTimeout } = settings;
  return {
    maxConnections,
    keepAliveTimeout,
    trustProxy,
    log,
    onRejected(rejection) {
      log.debug(rejection, 'refused');
      metrics?.http.onRejected(rejection);
    },
  };
}

async function listen(
  server: HttpServer,
  { settings: { host, port }, metrics }: Context,
): Promise<Pick<RunningServer, 'metricsUrl' | 'origin'>> {
  metrics?.http.watchServer(server);
  const metricsUrl = metrics && (await listening('--metrics-port', metrics.listen(host)));
  const address = await listening('--port', server.listen(port, host));
  return { origin: originOf(host, address.port), metricsUrl };
}

/** What its host causes, beside a name that cannot be resolved: it is no address of this machine. */
const HOST_ERRORS: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

/** An error names the setting that causes it. */
async function listening<T>(portSetting: string, listen: Promise<T>): Promise<T> {
  return listen.catch((cause: unknown) => {
    const { syscall, code, message } = cause as NodeJS.ErrnoException;
    const isOfHost = syscall === 'getaddrinfo' || HOST_ERRORS.includes(code);
    throw new Error(`${isOfHost ? '--host' : portSetting}: ${message}`, { cause });
  });
}

async function shutDown(server: HttpServer, container: Container, context: Context): Promise<void> {
  const { settings, log, metrics, stopping } = context;
  stopping.abort();
  log.info('shutting down');
  try {
    await server.drain(Math.min(IDLE_GRACE_MS, settings.shutdownTimeout / 2));
    await container.unbindAllAsync();
  } finally {
    await metrics?.close();
  }
  log.info('shut down');
}
