import { expect } from 'chai';
import { Registry } from 'prom-client';
import { httpMeter } from '../../../src/bootstrap/metrics/http-meter.js';
import { Metrics } from '../../support/metrics.js';

describe('httpMeter', () => {
  it('has durations in seconds', async () => {
    const registry = new Registry();
    httpMeter([registry]).onResponse({
      requestId: 'r',
      method: 'GET',
      route: '/pets',
      status: 200,
      code: undefined,
      limit: undefined,
      durationMs: 1500,
      bytes: 2,
      clientAddress: undefined,
      keyName: undefined,
    });
    const metrics = new Metrics(await registry.metrics());
    expect(metrics.value('animal_store_http_request_duration_seconds_sum', { route: '/pets' })).to.equal(1.5);
  });

  it('shows no request in flight until a server exists', async () => {
    const registry = new Registry();
    httpMeter([registry]);
    const metrics = new Metrics(await registry.metrics());
    expect(metrics.value('animal_store_http_requests_in_flight')).to.equal(0);
  });
});
