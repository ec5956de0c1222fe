import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { embeddedContent, textContent, type Content } from '../../../src/adapters/http/content.js';
import { endWithTest } from '../../support/cleanup.js';
import { fetchInMemory, SILENT } from '../../support/in-memory-interface.js';

const TEXT = 'Füße \u{1F98A} '.repeat(500);
const BYTES = Buffer.from(TEXT);

/** Decodes bytes in a coding; returns `undefined` for an unknown coding. */
async function decoded(content: Content, coding: keyof Content): Promise<Buffer | undefined> {
  const representation = await content[coding]?.();
  if (representation === undefined) return undefined;
  const decode = { identity: Buffer.from, gzip: gunzipSync, br: brotliDecompressSync }[coding];
  return decode(representation.bytes);
}

describe('the content of a file', () => {
  it('is a text in UTF-8, and compressed by gzip', async () => {
    const content = textContent(TEXT);
    expect(content).to.have.all.keys('identity', 'gzip');
    expect(await decoded(content, 'identity')).to.deep.equal(BYTES);
    expect(await decoded(content, 'gzip')).to.deep.equal(BYTES);
    expect((await content.gzip?.())?.bytes.length).to.be.below(BYTES.length / 10);
  });

  it('is an embedded file in each coding in which it was embedded', async () => {
    const gzip = gzipSync(BYTES).toString('base64');
    const br = brotliCompressSync(BYTES).toString('base64');
    const content = embeddedContent({ name: 'a', gzip, br });
    for (const coding of ['identity', 'gzip', 'br'] as const)
      expect(await decoded(content, coding)).to.deep.equal(BYTES);
  });

  it('is an embedded file without compression if that did not make it smaller', async () => {
    const content = embeddedContent({ name: 'a', identity: BYTES.toString('base64') });
    expect(content).to.have.all.keys('identity');
    expect(await decoded(content, 'identity')).to.deep.equal(BYTES);
  });

  it('has an entity tag for each coding, of 128 bits of the SHA-256 of its bytes', async () => {
    const { identity, gzip } = textContent(TEXT);
    for (const representation of [await identity(), await gzip?.()]) {
      const digest = createHash('sha256')
        .update(representation?.bytes ?? '')
        .digest('hex');
      expect(representation?.etag).to.equal(`"${digest.slice(0, 32)}"`);
    }
  });

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
