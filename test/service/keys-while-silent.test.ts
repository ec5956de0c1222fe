import { expect } from 'chai';
import { databaseNameOf } from '../../src/adapters/mongodb/client.js';
import type { Answer } from '../support/answer.js';
import type { RunningCommand } from '../support/command.js';
import { generateApiKey } from '../support/generate-api-key.js';
import { request } from '../support/request.js';
import { SLACK_MS } from '../support/slack.js';
import { until } from '../support/until.js';
import { usePrivateServer } from '../support/use-mongodb.js';
import { isUnavailable } from './http-load.js';
import { createKey, keys, KEY, startService, type IssuedKey } from './mongodb-service.js';

/** A store operation's deadline, and that of a key's look-up before it. */
const DEADLINE_MS = 5000 + 2000;
const SPREAD_MS = 5000;

describe('API keys of animal-store serve while its database is silent', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let service: RunningCommand | undefined;
  let verified: IssuedKey;
  let unused: IssuedKey;

  /** Presents a key with a list, or with a path that nothing is at, and waits for the answer within the deadline. */
  const present = async (key: string, path = '/v1/pets'): Promise<Answer> => {
    const start = performance.now();
    const answer = await request(service?.port ?? 0, 'GET', path, { key });
    expect(performance.now() - start).to.be.lessThan(DEADLINE_MS + SLACK_MS);
    return answer;
  };

  before(async function startAll() {
    this.timeout(180_000);
    const db = createClient().db(databaseNameOf(server().url));
    [verified, unused] = await Promise.all([createKey(db, { name: 'ben' }), createKey(db, { name: 'cleo' })]);
    service = await startService(server().url);
  });

  beforeEach(async () => {
    for (const key of [KEY, verified.key]) expect((await present(key)).status).to.equal(200);
    await server().pause();
  });

  afterEach(() => server().resume());

  after(async () => service?.stop());

  it('are accepted if they are configured or were verified before, so that only the store is missing', async () => {
    const answers = await Promise.all([KEY, verified.key].map(async (key) => present(key)));
    expect(answers.map(isUnavailable)).to.deep.equal([true, true]);
    for (const key of [KEY, verified.key]) {
      expect((await present(key, '/v1/nothing')).json).to.include({ code: 'route_not_found' });
    }
  });

  it('get 503, not 401, if only the store could verify them, and are verified once it answers', async () => {
    const madeUp = generateApiKey();
    const answers = await Promise.all([unused.key, madeUp].map(async (key) => present(key)));
    expect(answers.map(isUnavailable)).to.deep.equal([true, true]);
    server().resume();
    expect(await until(async () => (await present(unused.key)).status === 200)).to.be.lessThan(SPREAD_MS + SLACK_MS);
    expect((await present(madeUp)).status).to.equal(401);
  });

  it('stop working within 5 seconds if they are revoked as soon as it answers', async () => {
    expect(isUnavailable(await present(verified.key))).to.equal(true);
    server().resume();
    expect((await keys(server().url, 'revoke', verified.id)).code).to.equal(0);
    expect(await until(async () => (await present(verified.key)).status === 401)).to.be.lessThan(SPREAD_MS + SLACK_MS);
  });
});
