import { expect } from 'chai';
import { Gauge, Registry } from 'prom-client';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { metricsHandler } from '../../../src/bootstrap/metrics/metrics-handler.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';

describe('metricsHandler', () => {
  let collections: number;
  let port: number;

  beforeEach(async () => {
    collections = 0;
    const registry = new Registry();
    new Gauge({
      name: 'collections',
      help: 'How often this was collected.',
      registers: [registry],
      collect() {
        this.set(++collections);
      },
    });
    const log = { error: () => undefined };
    port = await listenOnFreePort(createHttpServer(metricsHandler(registry), { log }));
  });

  const statusOf = async (method = 'GET', target = '/metrics'): Promise<number> =>
    (await request(port, method, target)).status;

  it('collects once for many requests at the same time, HEAD or GET', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, i) => statusOf(i % 2 ? 'GET' : 'HEAD')));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(collections).to.equal(1);
  });

  it('accepts a target in absolute form', async () => {
    expect(await statusOf('GET', 'http://shop.example/metrics?a=b')).to.equal(200);
  });
});
