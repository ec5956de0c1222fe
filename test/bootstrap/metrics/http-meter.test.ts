import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { AnsweredRequest } from '../../../src/adapters/http/run-handler.js';
import { httpMeter, type HttpMeter } from '../../../src/bootstrap/metrics/http-meter.js';
import { Metrics } from '../../support/metrics.js';

const DEPRECATED = 'animal_store_deprecated_calls_total';
const IN_FLIGHT = 'animal_store_http_requests_in_flight';

describe('httpMeter', () => {
  let registry: Registry;
  let meter: HttpMeter;

  beforeEach(() => {
    registry = new Registry();
    meter = httpMeter([registry]);
  });

  const scrape = async (): Promise<Metrics> => new Metrics(await registry.metrics());

  it('shows as many deprecated calls at each scrape as there have been', async () => {
    meter.onAnswered({ method: 'GET', route: '/v1/pets/:petId', status: 200, durationMs: 1 } as AnsweredRequest);
    for (let i = 0; i < 3; i++) expect((await scrape()).value(DEPRECATED)).to.equal(1);
  });

  it('shows no request in flight until a server exists', async () => {
    expect((await scrape()).value(IN_FLIGHT)).to.equal(0);
  });
});
