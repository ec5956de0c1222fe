import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { startCommand, type RunningCommand } from '../../support/command.js';
import { onConnection } from '../../support/raw-connection.js';
import { requestBytes, send } from '../../support/request.js';

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

  it('prefers a flag to its variable', async () => {
    const { url, port } = await start(
      [
        '--host=127.0.0.1',
        '--store=memory',
        '--base-url=https://api.example.com/from-flag/v1',
        '--staging-base-url=https://staging.example.com/from-flag/v1',
        '--body-limit=100',
        '--log-level=silent',
        '--shutdown-timeout=5000',
      ],
      {
        HOST: '127.0.0.2',
        PORT: '1',
        STORE: 'mongodb',
        BASE_URL: 'https://api.example.com/from-variable/v1',
        STAGING_BASE_URL: 'https://staging.example.com/from-variable/v1',
        BODY_LIMIT: '100000',
        LOG_LEVEL: 'trace',
        SHUTDOWN_TIMEOUT: '1',
      },
    );
    expect(url).to.equal(`http://127.0.0.1:${port}/from-flag/v1`);
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(101) })).status).to.equal(413);
    await command?.stop();
    expect(command?.stderr).to.equal('');
  });

  it('treats an empty variable as not set', async () => {
    const names = ['HOST', 'PORT', 'STORE', 'BASE_URL', 'STAGING_BASE_URL', 'BODY_LIMIT', 'LOG_LEVEL'];
    const { url, port } = await start([], {
      ...Object.fromEntries([...names, 'SHUTDOWN_TIMEOUT', 'MONGODB_URL'].map((name) => [name, ''])),
    });
    expect(url).to.equal(`http://127.0.0.1:${port}/v1`);
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(65_536) })).status).to.equal(201);
  });

  it('treats an empty API_KEYS as no key, and makes one', async () => {
    const { url } = await start([], { API_KEYS: '' });
    expect((await send(`${url}/pets`, { key: KEY })).status).to.equal(401);
    await command?.stop();
    expect(command?.stdout).to.match(/^API key for this run: \S{16,}$/m);
  });

  it('has a body limit of 64 KiB by default', async () => {
    const { url } = await start([], {});
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(65_536) })).status).to.equal(201);
    const refusal = await send(`${url}/pets`, { key: KEY, body: bodyOf(65_537) });
    expect(refusal.status).to.equal(413);
    expect(refusal.json).to.include({ code: 'body_too_large', status: 413 });
  });

  it('accepts sizes and times with a unit', async () => {
    const { url } = await start(['--body-limit=1KiB', '--shutdown-timeout=5s'], {});
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(1024) })).status).to.equal(201);
    expect((await send(`${url}/pets`, { key: KEY, body: bodyOf(1025) })).status).to.equal(413);
  });

  it('limits the requests of each key to its rate limit', async () => {
    const { url } = await start(['--rate-limit=2/h'], { API_KEYS: `anna:${KEY},ben:${OTHER_KEY}` });
    const answers = [KEY, KEY, KEY, OTHER_KEY].map((key) => async () => send(`${url}/pets`, { key }));
    const statuses: number[] = [];
    for (const answer of answers) statuses.push((await answer()).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200]);
    expect(Number((await send(`${url}/pets`, { key: KEY })).header('Retry-After'))).to.be.within(3000, 3600);
  });

  it('limits the open connections to the number given', async () => {
    const { port } = await start(['--max-connections=1'], {});
    await onConnection(port, async (first) => {
      expect((await first.ask(requestBytes('GET', '/livez'))).status).to.equal(200);
      await onConnection(port, async (second) => {
        const refusal = await second.receive();
        expect(refusal.status).to.equal(503);
        expect(refusal.json).to.include({ code: 'overloaded', status: 503 });
      });
    });
  });

  it('allows the origins given', async () => {
    const { url } = await start([], { CORS_ORIGIN: 'https://shop.example, https://admin.example' });
    for (const origin of ['https://shop.example', 'https://admin.example']) {
      const answer = await send(`${url}/pets`, { key: KEY, headers: [['Origin', origin]] });
      expect(answer.header('Access-Control-Allow-Origin')).to.equal(origin);
    }
  });

  it('logs at info by default', async () => {
    const { url } = await start([], {});
    await send(`${url}/pets`, { key: KEY });
    await command?.stop();
    expect(command?.stderr).to.not.equal('');
    expect(command?.stderr).to.not.match(/"level":(10|20|"trace"|"debug")/);
  });
});

/** A valid body of exactly so many bytes. */
function bodyOf(length: number): string {
  return '{"name":"Rex","categoryId":7}'.padEnd(length, ' ');
}
