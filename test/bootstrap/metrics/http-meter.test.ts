import { expect } from 'chai';
import { Registry } from 'prom-client';
import { httpMeter } from '../../../src/bootstrap/metrics/http-meter.js';
import { Metrics } from '../../support/metrics.js';

describe('httpMeter', () => {
  it('shows no request in flight until a server exists', async () => {
    const registry = new Registry();
    httpMeter([registry]);
    const metrics = new Metrics(await registry.metrics());
    expect(metrics.value('animal_store_http_requests_in_flight')).to.equal(0);
  });
});
