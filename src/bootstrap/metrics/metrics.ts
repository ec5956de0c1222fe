import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Log } from '../../adapters/http/pipeline/log.js';
import { createHttpServer, type RequestHandler } from '../../adapters/http/server/http-server.js';
import { parseTarget } from '../../adapters/http/pipeline/target.js';
import { version } from '../compiled/manifest.js';
import { droppedLogLines } from '../log/log.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import type { PostgresMeter } from '../modules/postgres-module.js';
import { onceASecond } from '../once-a-second.js';
import type { StoreMeter } from '../tokens.js';
import { originOf } from '../settings/urls.js';
import { httpMeter, mongodbMeter, postgresMeter, storeMeter, type HttpMeter } from './meters.js';

export interface Metrics {
  readonly http: HttpMeter;
  readonly store: StoreMeter;
  readonly mongodb: MongodbMeter;
  readonly postgres: PostgresMeter;
  /** Resolves to the URL of the metrics. */
  listen(host: string): Promise<string>;
  close(): Promise<void>;
}

/** More than enough for Prometheus. */
const CONNECTIONS_MAX = 100;

const IDLE_GRACE_MS = 50;

/** All servers in the process share them. */
let processMetrics: Registry | undefined;

/** @param port 0 picks a free one. */
export function createMetrics(port: number, log: Log): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const meters = {
    http: httpMeter(registers),
    store: storeMeter(registers),
    mongodb: mongodbMeter(registers),
    postgres: postgresMeter(registers),
  };
  new Counter({
    name: 'animal_store_log_lines_dropped_total',
    help: 'Lines of the log of this process that were lost, because nothing read them fast enough or at all.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  new Gauge({
    name: 'animal_store_build_info',
    help: 'The version of Animal Store. The value is always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const server = createHttpServer(metricsHandler(registry), { maxConnections: CONNECTIONS_MAX, log });
  let isListening = false;
  return {
    ...meters,
    async listen(host) {
      const address = await server.listen(port, host);
      isListening = true;
      return `${originOf(host, address.port)}/metrics`;
    },
    async close() {
      if (isListening) await server.drain(IDLE_GRACE_MS);
    },
  };
}

/** Requests within a second share a collection, which may take longer than a request to the API. No scrape interval is shorter. */
function metricsHandler(registry: Registry): RequestHandler {
  processMetrics ??= collectProcessMetrics();
  const registries = [registry, processMetrics];
  const collect = onceASecond(async () => Registry.merge(registries).metrics());
  return async ({ url = '' }, response) => {
    const isThere = parseTarget(url)?.path === '/metrics';
    response.statusCode = isThere ? 200 : 404;
    response.setHeader('Content-Type', isThere ? registry.contentType : 'text/plain; charset=utf-8');
    response.end(isThere ? await collect() : 'The metrics are at /metrics.\n');
  };
}

/** Gauges of prom-client that promtool refuses, because they are named like counters. Each is the sum of another metric. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

function collectProcessMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
