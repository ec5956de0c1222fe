import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';
import { KEY } from './serve-catalogue.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('a redirect of a remote store', () => {
  function to(location: string, status: number) {
    return { status, headers: { Location: location } };
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} of a GET is followed within the origin, with the key`, async () => {
      const { url, seen } = await startScripted(to('/elsewhere/v1/pets?limit=1', status), {});
      const catalogue = new RemotePetCatalogue({ url, apiKey: KEY });
      expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
      expect(seen[1]).to.include({ method: 'GET', url: '/elsewhere/v1/pets?limit=1' });
      expect(seen[1]?.headers.authorization).to.equal(`Bearer ${KEY}`);
    });

    it(`${status} to another origin is an error, and the key does not go there`, async () => {
      const other = await startScripted({});
      const { url } = await startScripted(to(`${other.url}/pets`, status));
      const catalogue = new RemotePetCatalogue({ url, apiKey: KEY });
      const list = async (): Promise<unknown> => catalogue.list({ limit: 1 });
      for (const call of [list, async () => catalogue.add(REX)]) {
        const message = `the remote store answered ${status}: a redirect to another origin`;
        // A creation is sent again after 307 and 308 only.
        const isFollowed = status > 303 || call === list;
        expect(await rejectionOf(call())).to.include({
          name: 'RemoteStoreError',
          status,
          message: isFollowed ? message : `the remote store answered ${status}`,
        });
      }
      expect(other.seen).to.deep.equal([]);
    });
  }

  for (const status of [307, 308]) {
    it(`${status} of a creation repeats it, with the same Idempotency-Key`, async () => {
      const created = { status: 201, body: '{"id":1,"name":"Rex","categoryId":7}' };
      const { url, seen } = await startScripted(to('/v1/animals', status), created);
      await new RemotePetCatalogue({ url, apiKey: KEY }).add(REX);
      expect(seen.map(({ method }) => method)).to.deep.equal(['POST', 'POST']);
      expect(seen[1]?.body).to.equal(seen[0]?.body);
      expect(seen[1]?.headers['idempotency-key']).to.equal(seen[0]?.headers['idempotency-key']);
    });
  }

  for (const status of [301, 302, 303]) {
    it(`${status} of a creation is an error`, async () => {
      const { url, seen } = await startScripted(to('/v1/animals', status));
      const error = await rejectionOf(new RemotePetCatalogue({ url, apiKey: KEY }).add(REX));
      expect(error).to.include({ name: 'RemoteStoreError', status });
      expect(seen).to.have.length(1);
    });
  }

  for (const [what, headersOn, reason, requests] of [
    ['in circles', () => ({ Location: '/v1/pets' }), 'more redirects than are followed', 6],
    ['to nowhere', () => ({ Location: 'http://' }), 'a redirect without a valid target', 1],
    ['without a Location', () => ({}), 'a redirect without a valid target', 1],
    ['with a user', (host) => ({ Location: `http://user@${host}/v1` }), 'a redirect to another origin', 1],
    ['with a password', (host) => ({ Location: `http://:word@${host}/v1` }), 'a redirect to another origin', 1],
  ] as const satisfies readonly [string, (host: string) => Record<string, string>, string, number][]) {
    it(`${what} is an error`, async () => {
      const { url, seen } = await startScripted((response, { headers }) => {
        response.writeHead(307, headersOn(headers.host ?? '')).end();
      });
      const error = await rejectionOf(new RemotePetCatalogue({ url, apiKey: KEY }).list({ limit: 1 }));
      expect(error).to.include({ name: 'RemoteStoreError', message: `the remote store answered 307: ${reason}` });
      expect(seen).to.have.length(requests);
    });
  }

  it('that a browser hides is an error', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null } as Response;
    const fetch = async (): Promise<Response> => hidden;
    const catalogue = new RemotePetCatalogue({ url: 'http://e/v1', apiKey: KEY, fetch });
    expect(await rejectionOf(catalogue.list({ limit: 1 }))).to.include({
      name: 'RemoteStoreError',
      status: 0,
      message: 'the remote store answered 0: a redirect, whose target browsers hide',
    });
  });
});
