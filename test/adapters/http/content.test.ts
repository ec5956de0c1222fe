import { expect } from 'chai';
import { textContent } from '../../../src/adapters/http/content.js';
import { endWithTest } from '../../support/cleanup.js';
import { fetchInMemory, SILENT } from '../../support/in-memory-interface.js';

describe('the content of a file', () => {
  it('is the same object for any number of answers', async () => {
    const { identity } = textContent('text');
    expect(await identity()).to.equal(await identity());
  });

  it('is made by the next request if it could not be made by the first', async () => {
    const ask = fetchInMemory({ log: SILENT });
    const get = async (): Promise<Response> => ask('/openapi.json');
    // Shadows the method of the prototype.
    crypto.subtle.digest = async () => Promise.reject(new Error('out of memory'));
    const restore = (): boolean => Reflect.deleteProperty(crypto.subtle, 'digest');
    endWithTest(restore);
    expect((await get()).status).to.equal(500);
    restore();
    expect((await get()).status).to.equal(200);
  });
});
