import type { Registry } from 'prom-client';
import type { RequestHandler } from '../../adapters/http/server/http-server.js';
import type { DurationHistogram } from './duration-histogram.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Answers `GET /metrics` in the text format of Prometheus, version 0.0.4. Every other path is a 404. */
export function metricsHandler(registry: Registry, histograms: readonly DurationHistogram[]): RequestHandler {
  return async ({ method = '', url = '' }, response) => {
    function answer(status: number, body: string, headers: Readonly<Record<string, string>>): void {
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
    }

    const [path] = url.split('?', 1);
    if (path !== '/metrics') answer(404, 'The metrics are at /metrics.\n', { 'Content-Type': PLAIN_TEXT });
    else if (method !== 'GET' && method !== 'HEAD') {
      answer(405, 'The method must be GET or HEAD.\n', { 'Content-Type': PLAIN_TEXT, Allow: 'GET, HEAD' });
    } else {
      const parts = [...histograms.map((histogram) => histogram.text()), await registry.metrics()];
      answer(200, parts.join('\n'), { 'Content-Type': registry.contentType });
    }
  };
}
