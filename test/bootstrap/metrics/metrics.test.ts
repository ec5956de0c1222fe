import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { version } from '../../../src/bootstrap/compiled/manifest.js';
import type { RunningServer, StartConfig } from '../../../src/bootstrap/index.js';
import { eventually } from '../../support/eventually.js';
import { refusal } from '../../support/is-listening.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { metricsAt, type Metrics } from '../../support/metrics.js';
import { onConnection, RawConnection } from '../../support/raw-connection.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { request, send } from '../../support/request.js';
import { usePostgres } from '../../support/postgres.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { KEY, start, storeOf } from '../in-process.js';

const REQUESTS = 'animal_store_http_request_duration_seconds_count';
const BUCKETS = 'animal_store_http_request_duration_seconds_bucket';
const REFUSED = 'animal_store_http_refused_total';
const STORE = 'animal_store_store_operation_duration_seconds_count';

interface MeasuredServer extends RunningServer {
  readonly port: number;
  metrics(): Promise<Metrics>;
}

async function startMeasured(config: StartConfig = {}): Promise<MeasuredServer> {
  const server = await start({ metricsPort: 0, ...config });
  const { metricsUrl = '' } = server;
  return { ...server, port: Number(new URL(server.origin).port), metrics: async () => metricsAt(metricsUrl) };
}

describe('the metrics of the server', () => {
  describe('at /metrics', () => {
    it('are in the text format of Prometheus, each with a help text, a type, and a name by its conventions', async () => {
      const { families } = await (await startMeasured()).metrics();
      expect(families.length).to.be.greaterThan(30);
      for (const { name, help, type } of families) {
        expect(help, name).to.not.equal('');
        expect(name.endsWith('_total'), name).to.equal(type === 'COUNTER');
        if (name.startsWith('animal_store_')) expect(name.endsWith('_seconds'), name).to.equal(type === 'HISTOGRAM');
      }
    });

    it('are all in the document, by name and type', async () => {
      const text = await readFile(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
      const { families } = await (await startMeasured()).metrics();
      const own = families.filter(({ name }) => name.startsWith('animal_store_'));
      const place = 'a metric goes into the table of docs/observability.md';
      for (const { name, type } of own) expect(text, place).to.include(`\n| \`${name}\` | ${type.toLowerCase()} |`);
      expect(text.match(/^\| `animal_store_/gm), place).to.have.lengthOf(own.length);
    });

    it('answer HEAD without the body, whatever the query', async () => {
      const { metricsUrl = '' } = await startMeasured();
      const response = await request(Number(new URL(metricsUrl).port), 'HEAD', '/metrics?a=b');
      expect(response).to.include({ status: 200, text: '' });
      expect(response.header('Content-Type')).to.match(/^text\/plain; version=0\.0\.4/);
    });

    it('are at no other path, which says where they are, and not on the port of the animals', async () => {
      const { metricsUrl = '', origin } = await startMeasured();
      const paths = ['/', '//metrics', '/metrics/', '/metrics/x', '/x/metrics', '/metricsx', '/Metrics', '/%6Detrics'];
      for (const path of [...paths, '/metrics#x']) {
        const response = await request(Number(new URL(metricsUrl).port), 'GET', path);
        expect({ ...response, text: response.text }, path).to.include({
          status: 404,
          text: 'The metrics are at /metrics.\n',
        });
        expect(response.header('Content-Type')).to.equal('text/plain; charset=utf-8');
      }
      expect((await send(`${origin}/metrics`)).status).to.equal(404);
    });
  });

  it('count the requests in flight, also while a shutdown waits for them', async () => {
    const server = await startMeasured();
    await onConnection(server.port, async (connection) => {
      const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n`;
      await connection.deliver(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
      await send(`${server.origin}/livez`);
      const closing = server.close();
      await refusal(server.port);
      expect((await server.metrics()).value('animal_store_http_requests_in_flight')).to.equal(1);
      connection.send('}');
      await connection.receive();
      await closing;
    });
  });

  describe('of requests', () => {
    it('count them by method, template of the route, and status', async () => {
      const server = await startMeasured();
      await send(`${server.origin}/v1/pets`, { key: KEY, body: '{"name":"Rex","categoryId":7}' });
      for (const id of [1, 1, 2]) await send(`${server.origin}/v1/pets/${id}`, { key: KEY });
      const metrics = await server.metrics();
      const route = '/v1/pets/:petId';
      expect(metrics.value(REQUESTS, { method: 'POST', route: '/v1/pets', status: '201' })).to.equal(1);
      expect(metrics.value(REQUESTS, { method: 'GET', route, status: '200' })).to.equal(2);
      expect(metrics.value(REQUESTS, { method: 'GET', route, status: '404' })).to.equal(1);
    });

    it('count refusals by the limit that was exceeded', async () => {
      const server = await startMeasured({ bodyLimit: 10, rateLimit: { requests: 1, perMs: 3_600_000 } });
      await send(`${server.origin}/v1/pets`, { key: KEY, body: '{"name":"Rex","categoryId":7}' });
      for (let i = 0; i < 2; i++) await send(`${server.origin}/v1/pets`, { key: KEY });
      await onConnection(server.port, async (connection) => connection.ask('garbage\r\n\r\n'));
      const metrics = await server.metrics();
      expect(metrics.value(REFUSED, { limit: 'malformed' })).to.equal(1);
      expect(metrics.value(REFUSED, { limit: 'body' })).to.equal(1);
      expect(metrics.value(REFUSED, { limit: 'rate' })).to.equal(2);
    });

    it('count a refusal once, even if it ends the reading of a body', async () => {
      const server = await startMeasured();
      const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;
      const extension = `1;${'x'.repeat(20_000)}\r\n`;
      await onConnection(server.port, async (connection) => {
        expect((await connection.ask(`${head}Transfer-Encoding: chunked\r\n\r\n${extension}`)).status).to.equal(413);
      });
      const metrics = await eventually(async () => {
        const now = await server.metrics();
        return now.value(REQUESTS, { status: '413' }) === 1 ? now : undefined;
      });
      expect(metrics.value(REFUSED)).to.equal(1);
      expect(metrics.value(REFUSED, { limit: 'headers' })).to.equal(1);
      expect(metrics.value('animal_store_http_requests_in_flight')).to.equal(0);
    });

    it('have all limits in the document, and a series for each from the start', async () => {
      const limits = (await (await startMeasured()).metrics()).labels(REFUSED, 'limit');
      const text = await readFile(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
      const row = text.split('\n').find((line) => line.startsWith(`| \`${REFUSED}\``)) ?? '';
      for (const limit of limits) expect(row, 'a limit goes into docs/observability.md').to.include(`\`${limit}\``);
      // The name and the label stand in the row, too.
      expect(row.match(/`\w+`/g)).to.have.lengthOf(limits.length + 2);
    });
  });

  describe('of the store', () => {
    it('count its operations by how they ended, with idempotent creations apart', async () => {
      const server = await startMeasured();
      const create = async (name: string) =>
        send(`${server.origin}/v1/pets`, {
          key: KEY,
          body: JSON.stringify({ name, categoryId: 7 }),
          headers: [['Idempotency-Key', 'k']],
        });
      expect((await create('Rex')).status).to.equal(201);
      expect((await create('Rex')).header('Idempotency-Replayed')).to.equal('true');
      expect((await create('Tom')).status).to.equal(422);
      const metrics = await server.metrics();
      expect(metrics.value(STORE, { operation: 'pets.add_once', outcome: 'ok' })).to.equal(2);
      expect(metrics.value(STORE, { operation: 'pets.add_once', outcome: 'refused' })).to.equal(1);
      expect(metrics.value(STORE, { operation: 'pets.add', outcome: 'ok' })).to.equal(0);
    });

    it('count the look-ups of keys that a store keeps', async () => {
      const store = storeOf({ apiKeys: { verify: async () => ({ name: 'anna' }) } });
      const server = await startMeasured({ store, apiKeys: [] });
      await send(`${server.origin}/v1/pets`, { key: KEY });
      expect((await server.metrics()).value(STORE, { operation: 'keys.verify', outcome: 'ok' })).to.equal(1);
    });

    describe('on MongoDB', () => {
      const mongodb = useMongodb();

      it('count the connections that were opened', async () => {
        const server = await startMeasured({ store: 'mongodb', mongodbUrl: mongodb.createDatabaseUrl() });
        await send(`${server.origin}/v1/pets`, { key: KEY, body: '{"name":"Rex","categoryId":7}' });
        const metrics = await server.metrics();
        expect(metrics.value('animal_store_mongodb_pool_connections_created_total')).to.be.greaterThan(0);
      });
    });

    describe('on PostgreSQL', () => {
      const postgres = usePostgres();

      it('count the connections that were opened, and the attempts that failed', async () => {
        const postgresUrl = (await postgres.createUrl()).replace('@', '@127.0.0.1:1,');
        const metrics = await (await startMeasured({ store: 'postgres', postgresUrl })).metrics();
        expect(metrics.value('animal_store_postgres_connections_opened_total')).to.equal(1);
        expect(metrics.value('animal_store_postgres_connections_failed_total')).to.equal(1);
      });
    });
  });

  it('include those of the process, the version, and a label for each method that clients use', async () => {
    const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
    const server = await startMeasured();
    for (const method of [...METHODS, 'LINK', 'M-SEARCH']) await request(server.port, method, `/${method}`);
    for (let i = 0; i < 3; i++) await request(server.port, 'GET', `/v1/pets/${i}`, { key: KEY });
    const metrics = await server.metrics();
    expect(metrics.labels(REQUESTS, 'method')).to.deep.equal([...METHODS, 'other']);
    expect(metrics.labels(REQUESTS, 'route')).to.deep.equal(['/v1/pets/:petId', 'none']);
    expect(metrics.value('animal_store_build_info', { version })).to.equal(1);
    expect(metrics.value('process_resident_memory_bytes')).to.be.greaterThan(0);
    expect(metrics.families.map(({ name }) => name)).to.include('nodejs_eventloop_lag_p99_seconds');
    const bounds = metrics.labels(BUCKETS, 'le').map(Number).filter(Number.isFinite);
    expect([Math.min(...bounds), Math.max(...bounds)]).to.deep.equal([0.000_05, 10]);
  });

  describe('on their own listener', () => {
    it('are read on at most 100 connections at a time', async () => {
      const { metricsUrl = '' } = await startMeasured();
      const port = Number(new URL(metricsUrl).port);
      for (let i = 0; i < 100; i++) await RawConnection.open(port);
      expect(await rejectionOf(request(port, 'GET', '/metrics'))).to.be.instanceOf(Error);
    });

    it('are apart for two servers of one process', async () => {
      const [one, two] = [await startMeasured(), await startMeasured()];
      await send(`${one.origin}/v1/pets`, { key: KEY });
      expect((await one.metrics()).value(REQUESTS)).to.equal(1);
      expect((await two.metrics()).value(REQUESTS)).to.equal(0);
    });

    it('make the start fail, with nothing left open, if the port is taken', async () => {
      const port = await listenOnFreePort(createServer());
      expect(String(await rejectionOf(start({ metricsPort: port })))).to.match(/--metrics-port: .*EADDRINUSE/);
    });
  });
});
