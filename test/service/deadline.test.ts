import { expect } from 'chai';
import { request } from '../support/request.js';
import { SLACK_MS } from '../support/slack.js';
import { usePrivateServer } from '../support/use-mongodb.js';
import { isUnavailable } from './http-load.js';
import { KEY, startService } from './mongodb-service.js';

/** With the slack, less than the 5 seconds that the deadline is by default. */
const DEADLINE_MS = 500;

describe('animal-store serve --mongodb-deadline', function () {
  this.timeout(60_000);
  const { server } = usePrivateServer();

  afterEach(() => server().resume());

  it('ends a request that the database does not answer by that deadline', async () => {
    const service = await startService(server().url, [`--mongodb-deadline=${DEADLINE_MS}`]);
    expect((await request(service.port, 'GET', '/v1/pets', { key: KEY })).status).to.equal(200);
    await server().pause();
    const start = performance.now();
    const answer = await request(service.port, 'GET', '/v1/pets', { key: KEY });
    expect(performance.now() - start).to.be.lessThan(DEADLINE_MS + SLACK_MS);
    expect(isUnavailable(answer)).to.equal(true);
  });
});
