import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LIMITS } from '../../adapters/http/pipeline/errors.js';
import type { ResponseLog } from '../../adapters/http/pipeline/response-log.js';
import type { HttpServer } from '../../adapters/http/server/http-server.js';
import type { OnRejected } from '../../adapters/http/server/rejections.js';
import type { MongoClient } from '../../adapters/mongodb/client.js';
import type { CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { hasAddOnce } from '../../domain/pet-catalogue.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import type { PostgresMeter } from '../modules/postgres-module.js';
import type { StoreMeter } from '../tokens.js';

/** In seconds. Memory takes tens of microseconds, a database milliseconds, and an unresponsive one 5 seconds. */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** All other methods share one label, so that clients cannot create labels. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const MALFORMED = 'malformed';

export interface HttpMeter {
  readonly onResponse: (response: ResponseLog) => void;
  readonly onRejected: OnRejected;
  watchServer(server: Pick<HttpServer, 'requestsInFlight'>): void;
}

export function httpMeter(registers: Registry[]): HttpMeter {
  const durations = new Histogram({
    name: 'animal_store_http_request_duration_seconds',
    help: 'The time from the arrival of the header section of a request until its response was ready, in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: BOUNDS,
    registers,
  });
  const refused = new Counter({
    name: 'animal_store_http_refused_total',
    help: 'Requests and connections that were refused, by the limit that they exceeded, or as malformed.',
    labelNames: ['limit'],
    registers,
  });
  // Prometheus sees a counter grow only if it has read it before.
  for (const limit of [...LIMITS, MALFORMED]) refused.inc({ limit }, 0);
  return {
    onResponse({ method, route = 'none', status, limit, durationMs }) {
      durations.observe({ method: METHODS.has(method) ? method : 'other', route, status }, durationMs / 1000);
      if (limit !== undefined) refused.inc({ limit });
    },
    onRejected({ limit = MALFORMED }) {
      refused.inc({ limit });
    },
    watchServer(server) {
      new Gauge({
        name: 'animal_store_http_requests_in_flight',
        help: 'Requests that are being handled.',
        registers,
        collect() {
          this.set(server.requestsInFlight);
        },
      });
    },
  };
}

export function storeMeter(registers: Registry[]): StoreMeter {
  const durations = new Histogram({
    name: 'animal_store_store_operation_duration_seconds',
    help: 'How long a call to the store took, in seconds, by the method of the port and how the call ended.',
    labelNames: ['operation', 'outcome'],
    buckets: BOUNDS,
    registers,
  });

  /** The options of a call, if it has any, are at this position among its arguments. */
  function timed<A extends unknown[], T>(
    operation: string,
    optionsAt: number,
    call: (...args: A) => Promise<T>,
  ): typeof call {
    // So that Prometheus sees its first call, as it sees the first refused request.
    durations.zero({ operation, outcome: 'ok' });
    return async (...args) => {
      const start = performance.now();
      let outcome: CallOutcome = 'ok';
      try {
        return await call(...args);
      } catch (error) {
        outcome = outcomeOfRejection(error, args[optionsAt] as CallOptions | undefined);
        throw error;
      } finally {
        durations.observe({ operation, outcome }, (performance.now() - start) / 1000);
      }
    };
  }

  return {
    measureCatalogue: (catalogue) => ({
      add: timed('pets.add', 1, async (newPet, options) => catalogue.add(newPet, options)),
      ...(hasAddOnce(catalogue) && {
        addOnce: timed('pets.add_once', 2, async (newPet, key, options) => catalogue.addOnce(newPet, key, options)),
      }),
      list: timed('pets.list', 1, async (query, options) => catalogue.list(query, options)),
      find: timed('pets.find', 1, async (id, options) => catalogue.find(id, options)),
    }),
    measureApiKeys: (apiKeys) => ({ verify: timed('keys.verify', 1, async (key) => apiKeys.verify(key)) }),
  };
}

export function mongodbMeter(registers: Registry[]): MongodbMeter {
  const created = new Counter({
    name: 'animal_store_mongodb_pool_connections_created_total',
    help: 'Connections to MongoDB that were opened.',
    registers,
  });
  const closed = new Counter({
    name: 'animal_store_mongodb_pool_connections_closed_total',
    help: 'Connections to MongoDB that were closed, by the reason that the driver reports.',
    labelNames: ['reason'],
    registers,
  });
  const failed = new Counter({
    name: 'animal_store_mongodb_pool_checkouts_failed_total',
    help: 'Operations that got no connection to MongoDB, by the reason that the driver reports.',
    labelNames: ['reason'],
    registers,
  });
  return {
    watchClient(client: MongoClient) {
      client.on('connectionCreated', () => created.inc());
      client.on('connectionClosed', ({ reason }) => closed.inc({ reason }));
      client.on('connectionCheckOutFailed', ({ reason }) => failed.inc({ reason }));
    },
  };
}

export function postgresMeter(registers: Registry[]): PostgresMeter {
  const opened = new Counter({
    name: 'animal_store_postgres_connections_opened_total',
    help: 'Connections to the PostgreSQL primary that were opened.',
    registers,
  });
  const failed = new Counter({
    name: 'animal_store_postgres_connections_failed_total',
    help: 'Attempts to get a connection to the PostgreSQL primary that failed.',
    registers,
  });
  return { onConnection: ({ error }) => (error === undefined ? opened : failed).inc() };
}
