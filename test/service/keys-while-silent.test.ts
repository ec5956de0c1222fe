import { expect } from 'chai';
import type { IssuedApiKey } from '../../src/domain/api-keys/api-key.js';
import { apiKeyManagerOf } from '../support/api-key-manager.js';
import type { ReceivedResponse } from '../support/received-response.js';
import type { Environment } from '../support/child.js';
import { outcomeOf, type RunningCommand } from '../support/command.js';
import { generateApiKey } from '../support/generate-api-key.js';
import { request } from '../support/request.js';
import { SLACK_MS } from '../support/slack.js';
import { until } from '../support/until.js';
import { DATABASE_SERVERS } from './databases.js';
import { isUnavailable } from './http-load.js';
import { KEY, serveOn } from './serve-on.js';

/** A store operation's deadline, and that of a key's look-up before it. */
const DEADLINE_MS = 5000 + 2000;
const SPREAD_MS = 5000;

for (const { name, use } of DATABASE_SERVERS) {
  describe(`API keys of animal-store serve while its database is silent, ${name}`, function () {
    this.timeout(180_000);
    const { createStore, open, faults } = use();
    const silence = faults['the database is paused'];
    let store: Environment;
    let service: RunningCommand | undefined;
    let verified: IssuedApiKey;
    let unused: IssuedApiKey;

    /** Presents a key with a list, or with a path that nothing is at, and waits for the answer within the deadline. */
    const present = async (key: string, path = '/v1/pets'): Promise<ReceivedResponse> => {
      const start = performance.now();
      const response = await request(service?.port ?? 0, 'GET', path, { key });
      expect(performance.now() - start).to.be.lessThan(DEADLINE_MS + SLACK_MS);
      return response;
    };

    before(async function startAll() {
      this.timeout(180_000);
      store = await createStore();
      const manager = apiKeyManagerOf((await open(store)).registry);
      [verified, unused] = await Promise.all([manager.issue({ name: 'ben' }), manager.issue({ name: 'cleo' })]);
      service = await serveOn(store);
    });

    beforeEach(async () => {
      for (const key of [KEY, verified.key]) expect((await present(key)).status).to.equal(200);
      await silence?.begin();
    });

    afterEach(async () => silence?.end());

    after(async () => service?.stop());

    it('are accepted if they are configured or were verified before, so that only the store is missing', async () => {
      const responses = await Promise.all([KEY, verified.key].map(async (key) => present(key)));
      expect(responses.map(isUnavailable)).to.deep.equal([true, true]);
      for (const key of [KEY, verified.key]) {
        expect((await present(key, '/v1/nothing')).json).to.include({ code: 'route_not_found' });
      }
    });

    it('get 503, not 401, if only the store could verify them, and are verified once it answers', async () => {
      const madeUp = generateApiKey();
      const responses = await Promise.all([unused.key, madeUp].map(async (key) => present(key)));
      expect(responses.map(isUnavailable)).to.deep.equal([true, true]);
      await silence?.end();
      expect(await until(async () => (await present(unused.key)).status === 200)).to.be.lessThan(SPREAD_MS + SLACK_MS);
      expect((await present(madeUp)).status).to.equal(401);
    });

    it('stop working within 5 seconds if they are revoked as soon as it answers', async () => {
      expect(isUnavailable(await present(verified.key))).to.equal(true);
      await silence?.end();
      expect((await outcomeOf(['keys', 'revoke', verified.id], store)).code).to.equal(0);
      expect(await until(async () => (await present(verified.key)).status === 401)).to.be.lessThan(
        SPREAD_MS + SLACK_MS,
      );
    });
  });
}
