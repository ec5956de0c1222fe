import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Log } from '../../adapters/http/pipeline/log.js';
import { createHttpServer } from '../../adapters/http/server/http-server.js';
import { droppedLogLines } from '../log/log.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import { originOf } from '../origin.js';
import type { StoreMeter } from '../tokens.js';
import { version } from '../compiled/manifest.js';
import { httpMeter, type HttpMeter } from './http-meter.js';
import { metricsHandler } from './metrics-handler.js';
import { mongodbMeter } from './mongodb-meter.js';
import { storeMeter } from './store-meter.js';

/** The meters of one server, whose metrics a separate listener serves. */
export interface ServedMetrics {
  readonly http: HttpMeter;
  readonly store: StoreMeter;
  readonly mongodb: MongodbMeter;
  readonly url: string;
  /** Closes the listener. */
  stop(): Promise<void>;
}

/** More than enough for Prometheus. */
const SERVER_OPTIONS = { maxConnections: 100 };

/** How long a connection to the metrics may stay idle while they stop, in milliseconds. */
const IDLE_GRACE_MS = 50;

/** The metrics of the process, which all servers in it share. */
let processMetrics: Registry | undefined;

/**
 * Creates the metrics of one server, in their own registry, and serves them. Rejects if the server cannot listen on the port.
 *
 * @param port 0 selects a free port.
 */
export async function serveMetrics(host: string, port: number, log: Log): Promise<ServedMetrics> {
  const registry = new Registry();
  const registers = [registry];
  const meters = { http: httpMeter(registers), store: storeMeter(registers), mongodb: mongodbMeter(registers) };
  countDroppedLogLines(registers);
  const help = 'The version of Animal Store. The value is always 1.';
  new Gauge({ name: 'animal_store_build_info', help, labelNames: ['version'], registers }).set({ version }, 1);
  processMetrics ??= collectProcessMetrics();
  const handler = metricsHandler(Registry.merge([registry, processMetrics]));
  const server = createHttpServer(handler, { ...SERVER_OPTIONS, log });
  const address = await server.listen(port, host);
  return { ...meters, url: `${originOf(host, address.port)}/metrics`, stop: async () => server.drain(IDLE_GRACE_MS) };
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
