import { pino, type Logger } from 'pino';
import { createHttpServer } from '../adapters/http/node/http-server.js';
import type { ApiServer } from '../adapters/http/operations/openapi.js';
import { SERVER_DEFAULTS, type ServerConfig } from './settings/server-config.js';
import { createContainer } from './container.js';
import { httpKoaModule } from './http-koa-module.js';
import { openStore, type OpenStore } from './stores.js';
import { TOKENS } from './tokens.js';

/** How long a connection may stay idle while the server shuts down, in milliseconds. */
const IDLE_GRACE_MS = 1000;

/** The log on the standard error stream, as JSON lines. */
export function createLog({ logLevel }: Pick<ServerConfig, 'logLevel'>): Logger {
  const destination = pino.destination({ dest: 2, sync: true });
  // A log that cannot be written, on a full disk say, is lost: there is nowhere to tell, and the service goes on.
  destination.on('error', () => undefined);
  return pino({ level: logLevel, base: null }, destination);
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens: scheme, host, port. */
  readonly origin: string;
  /** The path that every operation is under. */
  readonly basePath: string;
  /** The API key made for this run, where the store is in memory and none was configured. */
  readonly apiKey?: string;
  /**
   * Stops listening, serves what is under way, closes the store. Calls after the first return the same promise. A client
   * that does not read its answer can hold it up for ever: bound it by a time-out of your own.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole server: opens the store, builds the application, listens.
 *
 * Rejects with a `ConfigError` where no API key could open the door, with a `TypeError` for a value that cannot be, and
 * with whatever keeps the store from opening or the server from listening; nothing stays open then.
 *
 * @param config What is to be other than its default.
 * @param log By default on the standard error stream, at the level of the configuration.
 * @example
 * const server = await startServer({ port: 0 });
 * console.log(server.origin, server.apiKey);
 * await server.close();
 */
export async function startServer(config: Partial<ServerConfig> = {}, log?: Logger): Promise<RunningServer> {
  const settings = { ...SERVER_DEFAULTS, ...config };
  const ownLog = log ?? createLog(settings);
  const store = await openStore(settings, ownLog);
  try {
    return await serveStore(store, settings, ownLog);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serveStore(store: OpenStore, config: ServerConfig, log: Logger): Promise<RunningServer> {
  const { host, port, baseUrl, stagingBaseUrl, bodyLimit, shutdownTimeout } = config;
  const basePath = baseUrl === undefined ? '/v1' : new URL(baseUrl).pathname;
  let closing: Promise<void> | undefined;

  const servers: readonly ApiServer[] = [
    { url: baseUrl ?? basePath.slice(1), description: baseUrl === undefined ? 'This service' : 'Production' },
    ...(stagingBaseUrl === undefined ? [] : [{ url: stagingBaseUrl, description: 'Staging' }]),
  ];
  const isReady = async () => closing === undefined && store.isReady();
  const container = createContainer(store.module, httpKoaModule({ basePath, bodyLimit, isReady, servers, log }));
  const server = createHttpServer(container.get(TOKENS.koaApp).callback(), { log });
  const address = await server.listen(port, host);
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  log.info({ origin, basePath, store: config.store }, 'listening');

  async function shutDown(): Promise<void> {
    log.info('shutting down');
    await server.drain(Math.min(IDLE_GRACE_MS, shutdownTimeout / 2));
    await store.close();
    log.info('shut down');
  }

  return {
    origin,
    basePath,
    ...(store.apiKey !== undefined && { apiKey: store.apiKey }),
    close: () => (closing ??= shutDown()),
  };
}
