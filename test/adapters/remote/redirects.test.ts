import { expect } from 'chai';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';
import { KEY } from './serve-catalogue.js';

const REASON = 'a redirect, which is not followed: set url to the final address';

describe('a redirect of a remote store', () => {
  for (const status of [300, 301, 302, 303, 307, 308, 399]) {
    it(`${status} is an error immediately, and nothing is sent to its target`, async () => {
      const other = await startScripted({});
      const { catalogue, seen } = await startScripted({ status, headers: { Location: `${other.url}/pets` } });
      const error = { name: 'RemoteStoreError', status, message: `the remote store answered ${status}: ${REASON}` };
      expect(await rejectionOf(catalogue().list({ limit: 1 }))).to.include(error);
      expect(await rejectionOf(catalogue().add({ name: 'Rex', categoryId: 7n }))).to.include(error);
      expect(seen).to.have.length(2);
      expect(other.seen).to.deep.equal([]);
    });
  }

  it('is an error with the status 0 in a browser, which hides it', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null } as Response;
    const fetch = async (): Promise<Response> => hidden;
    const catalogue = new RemotePetCatalogue({ ...PATIENT, url: 'http://e/v1', apiKey: KEY, fetch });
    const error = { name: 'RemoteStoreError', status: 0, message: `the remote store answered 0: ${REASON}` };
    expect(await rejectionOf(catalogue.list({ limit: 1 }))).to.include(error);
  });
});
