import { expect } from 'chai';
import { askReadiness } from '../../../src/adapters/remote/readiness.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startScripted } from './scripted-service.js';

describe('the question whether a service is ready', () => {
  it('is asked once, without a key, and answered by the status, whatever it is', async () => {
    for (const status of [200, 204, 307, 503]) {
      const { url, seen } = await startScripted({ status, headers: { Location: '/elsewhere' }, body: '' });
      expect(await askReadiness(url, fetch, 60_000)).to.equal(status);
      expect(seen).to.have.length(1);
      expect(seen[0]?.headers).not.to.have.property('authorization');
    }
  });

  it('leaves no body of an answer open', async () => {
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    await askReadiness('http://e/readyz', async () => new Response(body), 60_000);
    expect(isCancelled).to.equal(true);
  });

  it('rejects if there is no answer in time', async () => {
    const { url } = await startScripted(() => undefined);
    expect(await rejectionOf(askReadiness(url, fetch, 50))).to.have.property('name', 'TimeoutError');
  });
});
