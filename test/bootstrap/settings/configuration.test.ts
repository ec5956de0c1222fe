import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { startCommand, type RunningCommand } from '../../support/command.js';
import { send, type RequestOptions } from '../../support/request.js';

const KEY = 'a-key-of-more-than-16';
const PRODUCTION = 'https://api.example.com/shop/v1';
const STAGING = 'https://staging.example.com:8443/trial/v1';
const ORIGINS = ['https://shop.example', 'https://admin.example'];

describe('animal-store serve, configured by variables alone', () => {
  let command: RunningCommand;

  before(async () => {
    command = await startCommand([], {
      HOST: '127.0.0.2',
      API_KEYS: `anna:${KEY}`,
      BASE_URL: PRODUCTION,
      STAGING_BASE_URL: STAGING,
      BODY_LIMIT: '100',
      CORS_ORIGIN: ORIGINS.join(', '),
      LOG_LEVEL: 'silent',
    });
  });

  after(() => command.stop());

  const ask = (path: string, options: RequestOptions = {}): Promise<Answer> =>
    send(new URL(path, command.url), { key: KEY, ...options });

  it('prints the actual host and port with the base path of the address, and logs nothing', () => {
    expect(command.url).to.equal(`http://127.0.0.2:${command.port}/shop/v1`);
    expect(command.stderr).to.equal('');
  });

  it('serves under the base path of the address, and names it in Location and Link', async () => {
    for (const id of [1, 2]) {
      const answer = await ask('/shop/v1/pets', { body: bodyOf(100) });
      expect([answer.status, answer.header('Location')]).to.deep.equal([201, `/shop/v1/pets/${id}`]);
    }
    expect((await ask('/shop/v1/pets?limit=1')).header('Link')).to.match(/^<\/shop\/v1\/pets\?[^>]+>; rel="next"$/);
    expect((await ask('/shop/v1/pets/1')).header('Link')).to.equal('</shop/v1/pets>; rel="successor-version"');
  });

  it('lists the production and the staging address as servers of the OpenAPI document', async () => {
    const { servers } = (await ask('/openapi.json')).json as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).to.deep.equal([PRODUCTION, STAGING]);
  });

  it('refuses a body beyond the limit', async () => {
    expect((await ask('/shop/v1/pets', { body: bodyOf(101) })).status).to.equal(413);
  });

  it('allows the origins given', async () => {
    for (const origin of ORIGINS) {
      const answer = await ask('/shop/v1/pets', { headers: [['Origin', origin]] });
      expect(answer.header('Access-Control-Allow-Origin')).to.equal(origin);
    }
  });
});

/** A valid body of exactly so many bytes. */
function bodyOf(length: number): string {
  return '{"name":"Rex","categoryId":7}'.padEnd(length, ' ');
}
