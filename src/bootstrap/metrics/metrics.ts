import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { RequestHandler } from '../../adapters/http/server/http-server.js';
import { droppedLogLines } from '../log/log.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import type { StoreMeter } from '../tokens.js';
import { version } from '../compiled/manifest.js';
import { httpMeter, type HttpMeter } from './http-meter.js';
import { metricsHandler } from './metrics-handler.js';
import { mongodbMeter } from './mongodb-meter.js';
import { storeMeter } from './store-meter.js';

/** The metrics of one server: the meters that record them, and the handler that serves them. */
export interface Metrics {
  readonly http: HttpMeter;
  readonly store: StoreMeter;
  readonly mongodb: MongodbMeter;
  /** Answers `GET /metrics` in the text format of Prometheus. */
  readonly handler: RequestHandler;
}

/** The metrics of the process, which all servers in it share. */
let processMetrics: Registry | undefined;

/** Creates the metrics of one server, in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const http = httpMeter(registers);
  const store = storeMeter(registers);
  const mongodb = mongodbMeter(registers);
  countDroppedLogLines(registers);
  const help = 'The version of Animal Store. The value is always 1.';
  new Gauge({ name: 'animal_store_build_info', help, labelNames: ['version'], registers }).set({ version }, 1);
  processMetrics ??= collectProcessMetrics();
  return { http, store, mongodb, handler: metricsHandler(Registry.merge([registry, processMetrics])) };
}

function countDroppedLogLines(registers: Registry[]): void {
  new Counter({
    name: 'animal_store_log_lines_dropped_total',
    help: 'Lines of the log of this process that were lost, because nothing read them fast enough or at all.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
}

/** Gauges of prom-client that promtool refuses, because they are named like counters. Each is the sum of another metric. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The metrics that prom-client collects from every Node.js process: CPU, memory, event-loop delay, garbage collection. */
function collectProcessMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
