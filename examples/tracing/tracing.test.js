/** Run it with `MONGODB_URL` and `node --import ./in-memory-tracing.js tracing.test.js`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startServer } from 'animal-store/bootstrap';
import { pino } from 'pino';
import { exporter } from './in-memory-tracing.js';

const KEY = 'a-key-of-more-than-16';
/** What a client sends that is traced itself (W3C Trace Context). */
const CLIENT_TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('a request that is traced', () => {
  /** @type {import('animal-store/bootstrap').RunningServer} */
  let server;
  /** @type {Record<string, unknown>[]} */
  const log = [];
  /** @type {import('@opentelemetry/sdk-trace-node').ReadableSpan[]} */
  let spans;

  before(async () => {
    const logger = pino({}, { write: (line) => void log.push(JSON.parse(line)) });
    const apiKeys = [{ name: 'anna', key: KEY }];
    server = await startServer({ port: 0, store: 'mongodb', mongodbUrl: process.env['MONGODB_URL'], apiKeys }, logger);
    exporter.reset();
    const traceparent = `00-${CLIENT_TRACE}-b7ad6b7169203331-01`;
    const headers = { Authorization: `Bearer ${KEY}`, traceparent };
    const response = await fetch(`${server.origin}/v1/pets?limit=7`, { headers });
    assert.equal(response.status, 200);
    await response.text();
    await server.close();
    spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === CLIENT_TRACE);
  });

  after(async () => server.close());

  /** @param {string} instrumentation */
  function spansBy(instrumentation) {
    return spans.filter(({ instrumentationScope }) => instrumentationScope.name === instrumentation);
  }

  it('has a span of the request, in the trace of its client', () => {
    const [request] = spansBy('@opentelemetry/instrumentation-http');
    assert.equal(request?.attributes['http.response.status_code'], 200);
    assert.equal(request?.attributes['url.path'], '/v1/pets');
  });

  it('has a span of the call of the store, inside that of the request', () => {
    const [request] = spansBy('@opentelemetry/instrumentation-http');
    const [call] = spansBy('@opentelemetry/instrumentation-mongodb');
    // The adapter runs the command itself, so the instrumentation does not know the collection.
    assert.match(String(call?.name), /^find /);
    assert.equal(call?.parentSpanContext?.spanId, request?.spanContext().spanId);
  });

  it('has the id of its trace in its line of the log', () => {
    const answered = log.filter(({ msg }) => msg === 'answered');
    assert.deepEqual(
      answered.map((line) => line['trace_id']),
      [CLIENT_TRACE],
    );
  });

  it('keeps the values of its store call out of the trace', () => {
    const [call] = spansBy('@opentelemetry/instrumentation-mongodb');
    assert.match(String(call?.attributes['db.query.text']), /"limit":"\?"/);
  });
});
