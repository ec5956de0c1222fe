import { expect } from 'chai';
import { Gauge, Registry } from 'prom-client';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { metricsHandler } from '../../../src/bootstrap/metrics/metrics-handler.js';
import { eventually } from '../../support/eventually.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';

describe('metricsHandler', () => {
  let collections: number;
  let port: number;
  let collect: () => Promise<void>;

  beforeEach(async () => {
    collections = 0;
    collect = async () => undefined;
    const registry = new Registry();
    new Gauge({
      name: 'collections',
      help: 'How often this was collected.',
      registers: [registry],
      async collect() {
        this.set(++collections);
        await collect();
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

  it('starts no further collection before one has ended, however long it takes', async () => {
    let end: () => void = () => undefined;
    collect = async () => new Promise((resolve) => (end = resolve));
    const first = statusOf();
    await eventually(() => (collections === 1 ? true : undefined));
    const others = Array.from({ length: 5 }, async () => statusOf());
    expect(await statusOf('GET', '/other')).to.equal(404);
    end();
    expect(await Promise.all([first, ...others])).to.deep.equal(Array.from({ length: 6 }, () => 200));
    expect(collections).to.equal(1);
  });

  it('collects again after a while', async () => {
    await eventually(async () => {
      expect(await statusOf()).to.equal(200);
      return collections === 2 ? true : undefined;
    });
  });

  it('collects again after a collection that failed', async () => {
    collect = async () => Promise.reject(new Error('no'));
    expect(await statusOf()).to.equal(500);
    collect = async () => undefined;
    expect(await statusOf()).to.equal(200);
  });

  it('accepts a target in absolute form', async () => {
    expect(await statusOf('GET', 'http://shop.example/metrics?a=b')).to.equal(200);
  });
});
