import { expect } from 'chai';
import { checkReadiness } from '../../../src/adapters/remote/readiness.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';

describe('checkReadiness', () => {
  it('sends one request, without a key, and resolves to the status, whatever it is', async () => {
    for (const status of [200, 307, 503]) {
      const { url, seen } = await startScripted({ status, headers: { Location: '/elsewhere' }, body: 'not now' });
      expect(await checkReadiness(url, fetch, 60_000)).to.equal(status);
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([undefined]);
    }
  });

  it('rejects if there is no response in time', async () => {
    const { url } = await startScripted(() => undefined);
    expect(await rejectionOf(checkReadiness(url, fetch, 50))).to.have.property('name', 'TimeoutError');
  });
});
