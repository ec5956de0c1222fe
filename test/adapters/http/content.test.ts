import { expect } from 'chai';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { endWithTest } from '../../support/cleanup.js';
import { fetchInMemory, inMemory, SILENT } from '../../support/in-memory-interface.js';
import { BUNDLE_PATH } from '../../support/reference-files.js';

const neverRead = async (): Promise<never> => Promise.reject(new Error('a file has no body to read'));

describe('the content of a file', () => {
  // To decode, compress or hash a file of 1.4 MB costs more than to send it.
  for (const path of ['/docs', '/openapi.json', BUNDLE_PATH]) {
    it(`is the same object in all answers for ${path} in a coding`, async () => {
      const { answer } = createHttpInterface(inMemory());
      const bodyIn = async (coding: string): Promise<unknown> => {
        const rawHeaders = ['Accept-Encoding', coding];
        const request = { method: 'GET', path, query: '', rawHeaders, mountPath: '', readBody: neverRead };
        return (await answer(request)).body;
      };
      for (const coding of ['identity', 'gzip']) {
        const [first, ...others] = await Promise.all(Array.from({ length: 3 }, async () => bodyIn(coding)));
        for (const other of [...others, await bodyIn(coding)]) expect(other).to.equal(first);
      }
    });
  }

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
