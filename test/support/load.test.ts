import { expect } from 'chai';
import { Load, type LoadClient } from './load.js';
import { rejectionOf } from './rejection-of.js';

async function* answered(): LoadClient {
  for (;;) yield 'answered';
}

async function* failing(results: readonly string[]): LoadClient {
  for (const result of results) yield result;
  throw new Error('the connection is gone');
}

describe('a load of the tests', () => {
  it('does not wait for what can no longer come, nor any longer after an unexpected result', async () => {
    const ended = new Load([failing(['answered'])]);
    expect(await rejectionOf(ended.next('answered', 2))).to.be.an('error');
    const load = new Load([answered(), failing(['418'])]);
    expect(await rejectionOf(load.next('unavailable', 1))).to.have.property('message', '418');
  });

  it('reports every unexpected result and the count of the rest', async () => {
    const load = new Load([failing(['unavailable', '418', 'unavailable'])]);
    const { unexpected, unavailable } = await load.ended();
    expect(unexpected.map(String)).to.deep.equal(['418', 'Error: the connection is gone']);
    expect(unavailable).to.equal(2);
  });
});
