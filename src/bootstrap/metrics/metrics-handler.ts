import type { Registry } from 'prom-client';
import type { RequestHandler } from '../../adapters/http/server/http-server.js';
import { parseTarget } from '../../adapters/http/pipeline/target.js';
import { onceASecond } from '../once-a-second.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/**
 * Answers `GET /metrics` in the text format of Prometheus, version 0.0.4. Answers 404 to every other path. Requests within a
 * second share one collection, because a collection may take longer than a request to the API; no scrape interval is shorter.
 */
export function metricsHandler(registry: Registry): RequestHandler {
  const collect = onceASecond(async () => Buffer.from(await registry.metrics()));

  return async ({ method, url = '' }, response) => {
    function answer(status: number, body: string | Buffer, headers: Readonly<Record<string, string>>): void {
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
    }

    if (parseTarget(url)?.path !== '/metrics') {
      answer(404, 'The metrics are at /metrics.\n', { 'Content-Type': PLAIN_TEXT });
    } else if (method !== 'GET' && method !== 'HEAD') {
      answer(405, 'The method must be GET or HEAD.\n', { 'Content-Type': PLAIN_TEXT, Allow: 'GET, HEAD' });
    } else answer(200, await collect(), { 'Content-Type': registry.contentType });
  };
}
