import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { startCommand, type RunningCommand } from '../../support/command.js';
import { send, type RequestOptions } from '../../support/request.js';

const KEY = 'a-key-of-more-than-16';
const PRODUCTION = 'https://api.example.com/shop/v1';
const STAGING = 'https://staging.example.com:8443/trial/v1';
const REX = '{"name":"Rex","categoryId":7}';

describe('animal-store serve --base-url', () => {
  let command: RunningCommand;

  before(async () => {
    const flags = ['--base-url', PRODUCTION, '--staging-base-url', STAGING];
    command = await startCommand(flags, { API_KEYS: `anna:${KEY}` });
  });

  after(() => command.stop());

  const ask = (path: string, options: RequestOptions = {}): Promise<Answer> =>
    send(new URL(path, command.url), { key: KEY, ...options });

  it('prints the actual host and port with the base path of the address', () => {
    expect(command.url).to.equal(`http://127.0.0.1:${command.port}/shop/v1`);
  });

  it('serves under the base path of the address', async () => {
    expect((await ask('/shop/v1/pets')).status).to.equal(200);
  });

  it('answers nothing under another base path', async () => {
    for (const path of ['/v1/pets', '/pets', '/shop/pets', '/trial/v1/pets']) {
      const { status, json } = await ask(path);
      expect(status, path).to.equal(404);
      expect(json, path).to.include({ code: 'route_not_found' });
    }
  });

  it('uses the base path in Location', async () => {
    const answer = await ask('/shop/v1/pets', { body: REX });
    expect(answer.status).to.equal(201);
    expect(answer.header('Location')).to.equal(`/shop/v1/pets/${(answer.json as { id: number }).id}`);
  });

  it('uses the base path in the link to the next page', async () => {
    await ask('/shop/v1/pets', { body: REX });
    await ask('/shop/v1/pets', { body: REX });
    const link = (await ask('/shop/v1/pets?limit=1')).header('Link') ?? '';
    const next = /^<(\/shop\/v1\/pets\?[^>]+)>; rel="next"$/.exec(link)?.[1] ?? '';
    expect(next).to.not.equal('');
    expect((await ask(next)).status).to.equal(200);
  });

  it('uses the base path in the link of getPet to its successor', async () => {
    for (const id of ['1', '404404']) {
      const answer = await ask(`/shop/v1/pets/${id}`);
      expect(answer.header('Link'), id).to.equal('</shop/v1/pets>; rel="successor-version"');
    }
  });

  it('asks for a key under the base path alone', async () => {
    expect((await send(`${command.url}/livez`)).status).to.equal(401);
    expect((await send(new URL('/livez', command.url))).status).to.equal(200);
    expect((await send(new URL('/readyz', command.url))).status).to.equal(200);
  });

  it('lists the production and the staging address as servers of the OpenAPI document', async () => {
    const { json } = await send(new URL('/openapi.json', command.url));
    const { servers } = json as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).to.deep.equal([PRODUCTION, STAGING]);
  });
});
