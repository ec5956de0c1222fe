import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { metricsAt } from '../support/metrics.js';
import { makeProjectWithOldest, ROOT, serveIn, TOOLS } from './project.js';

// contracts.test.ts runs the oldest versions of mongodb and pg, and types.test.ts looks at that of @types/koa.
describe('the oldest version that the range of an optional package allows', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  it('of prom-client serves metrics', async () => {
    const { server, listPets } = await serveIn(makeProjectWithOldest('prom-client'), ['--metrics-port', '0']);
    await listPets();
    const metrics = await metricsAt(/^Metrics: (\S+)$/m.exec(server.stdout)?.[1] ?? '');
    expect(metrics.families.length).to.be.greaterThan(30);
    expect(metrics.families.filter(({ help, type }) => help === '' || type === 'UNTYPED')).to.deep.equal([]);
    const answered = { method: 'GET', route: '/v1/pets', status: '200' };
    expect(metrics.value('animal_store_http_request_duration_seconds_count', answered)).to.equal(1);
  });

  it('of rate-limiter-flexible limits the rate', async () => {
    const { listPets } = await serveIn(makeProjectWithOldest('rate-limiter-flexible'), ['--rate-limit', '1/h']);
    expect((await listPets()).status).to.equal(200);
    expect((await listPets()).status).to.equal(429);
  });
});
