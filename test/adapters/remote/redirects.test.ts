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
      for (const call of [async () => catalogue.list({ limit: 1 }), async () => catalogue.add(REX)]) {
        expect(await rejectionOf(call())).to.include({ name: 'RemoteStoreError', status });
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

  for (const [what, location] of Object.entries({
    'in circles': '/v1/pets',
    'to nowhere': 'http://',
    'with credentials': 'http://user:password@127.0.0.1/v1',
  })) {
    it(`${what} is an error`, async () => {
      const { url, seen } = await startScripted(to(location, 307));
      const error = await rejectionOf(new RemotePetCatalogue({ url, apiKey: KEY }).list({ limit: 1 }));
      expect(error).to.include({ name: 'RemoteStoreError', status: 307 });
      expect(seen.length).to.be.at.most(6);
    });
  }

  it('that a browser hides is an error', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null } as Response;
    const fetch = async (): Promise<Response> => hidden;
    const catalogue = new RemotePetCatalogue({ url: 'http://e/v1', apiKey: KEY, fetch });
    expect(await rejectionOf(catalogue.list({ limit: 1 }))).to.include({ name: 'RemoteStoreError', status: 0 });
  });
});
