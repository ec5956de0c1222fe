import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResponseLog } from '../../adapters/http/pipeline/response-log.js';
import { LIMITS } from '../../adapters/http/pipeline/errors.js';
import type { OnRejected } from '../../adapters/http/server/rejections.js';
import { durationHistogram } from './duration-histogram.js';

/** Measures HTTP. */
export interface HttpMeter {
  /** Counts a request that the HTTP interface has answered. */
  readonly onResponse: (answered: ResponseLog) => void;
  /** Counts a refusal by the HTTP server itself. */
  readonly onRejected: OnRejected;
  /** Sets the function that returns the number of requests in flight; until then, the number is 0. */
  watchInFlight(read: () => number): void;
}

/** The methods that have their own label. All others share one, so that clients cannot create labels. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The label of malformed requests that were refused. */
const MALFORMED = 'malformed';

/** Measures the answered requests, counts the refused ones, and those in flight. */
export function httpMeter(registers: Registry[]): HttpMeter {
  const durations = durationHistogram(
    'animal_store_http_request_duration_seconds',
    'From the arrival of the header section of a request until its answer was ready, in seconds.',
    ['method', 'route', 'status'],
    registers,
  );
  const refused = new Counter({
    name: 'animal_store_http_refused_total',
    help: 'Requests and connections that were refused, by the limit that they exceeded, or as malformed.',
    labelNames: ['limit'],
    registers,
  });
  // Prometheus sees a counter grow only if it has read it before.
  for (const limit of [...LIMITS, MALFORMED]) refused.inc({ limit }, 0);
  let readInFlight = (): number => 0;
  new Gauge({
    name: 'animal_store_http_requests_in_flight',
    help: 'Requests that have arrived and are not answered yet.',
    registers,
    collect() {
      this.set(readInFlight());
    },
  });
  return {
    onResponse({ method, route = 'none', status, limit, durationMs }) {
      durations.observe({ method: METHODS.has(method) ? method : 'other', route, status }, durationMs / 1000);
      if (limit !== undefined) refused.inc({ limit });
    },
    onRejected({ limit = MALFORMED }) {
      refused.inc({ limit });
    },
    watchInFlight(read) {
      readInFlight = read;
    },
  };
}
