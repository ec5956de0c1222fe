import { createHttpServer } from '../../adapters/http/server/http-server.js';
import type { Log } from '../../adapters/http/log.js';
import { originOf } from '../origin.js';
import { createMetrics, type Metrics } from './metrics.js';

/** Where metrics are served. */
export interface ServeMetricsOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly log: Log;
}

/** Metrics that a separate listener serves. */
export interface ServedMetrics extends Metrics {
  readonly url: string;
  /** Closes the listener. */
  stop(): Promise<void>;
}

/** More than enough for Prometheus. */
const SERVER_OPTIONS = { maxConnections: 100, maxUnsent: 4 * 2 ** 20 };

/** How long a connection to the metrics may stay idle while they stop, in milliseconds. */
const IDLE_GRACE_MS = 50;

/** Creates the metrics of a server and serves them. Rejects if the server cannot listen on the port. */
export async function serveMetrics({ host, port, log }: ServeMetricsOptions): Promise<ServedMetrics> {
  const metrics = createMetrics();
  const server = createHttpServer(metrics.handler, { ...SERVER_OPTIONS, log });
  const address = await server.listen(port, host);
  return { ...metrics, url: `${originOf(host, address.port)}/metrics`, stop: async () => server.drain(IDLE_GRACE_MS) };
}
