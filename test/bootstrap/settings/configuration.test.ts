import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { startCommand, type RunningCommand } from '../../support/command.js';
import { send } from '../../support/request.js';

const KEY = 'a-key-of-more-than-16';
const OTHER_KEY = 'another-key-of-more-than-16';
const API_KEYS = { API_KEYS: `anna:${KEY}` };

describe('the configuration of animal-store serve', () => {
  let command: RunningCommand | undefined;

  afterEach(async () => {
    await command?.stop();
    command = undefined;
  });

  const start = async (flags: readonly string[], env: Environment): Promise<RunningCommand> =>
    (command = await startCommand(flags, { ...API_KEYS, ...env }));

  it('comes from the variables if there is no flag', async () => {
    const { url, port } = await start([], {
      HOST: '127.0.0.2',
      STORE: 'memory',
      BASE_URL: 'https://api.example.com/from-variable/v1',
      STAGING_BASE_URL: 'https://staging.example.com/v1',
      BODY_LIMIT: '100',
      LOG_LEVEL: 'silent',
      SHUTDOWN_TIMEOUT: '5000',
    });
    expect(url).to.equal(`http://127.0.0.2:${port}/from-variable/v1`);
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(100) })).status).to.equal(201);
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(101) })).status).to.equal(413);
    await command?.stop();
    expect(command?.stderr).to.equal('');
  });

  it('limits the requests of each key to its rate limit', async () => {
    const { url } = await start(['--rate-limit=2/h'], { API_KEYS: `anna:${KEY},ben:${OTHER_KEY}` });
    const answers = [KEY, KEY, KEY, OTHER_KEY].map((key) => async () => send(`${url}/pets`, { key }));
    const statuses: number[] = [];
    for (const answer of answers) statuses.push((await answer()).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200]);
    expect(Number((await send(`${url}/pets`, { key: KEY })).header('Retry-After'))).to.be.within(3000, 3600);
  });

  it('allows the origins given', async () => {
    const { url } = await start([], { CORS_ORIGIN: 'https://shop.example, https://admin.example' });
    for (const origin of ['https://shop.example', 'https://admin.example']) {
      const answer = await send(`${url}/pets`, { key: KEY, headers: [['Origin', origin]] });
      expect(answer.header('Access-Control-Allow-Origin')).to.equal(origin);
    }
  });
});

/** A valid body of exactly so many bytes. */
function bodyOf(length: number): string {
  return '{"name":"Rex","categoryId":7}'.padEnd(length, ' ');
}
