import { build, type BuildOptions } from 'esbuild';
import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { makeProject } from './project.js';

describe('a bundle for a browser', function () {
  this.timeout(180_000);
  let options: BuildOptions;

  before(() => {
    options = { bundle: true, format: 'iife', platform: 'browser', write: false, logLevel: 'silent' };
    options.absWorkingDir = makeProject(['json-custom-numbers']);
  });

  /** Bundles the text of a module. */
  async function bundle(contents: string, more: BuildOptions = {}): Promise<string> {
    const { outputFiles = [] } = await build({
      ...options,
      ...more,
      stdin: { contents, resolveDir: options.absWorkingDir ?? '' },
    });
    return outputFiles.map(({ text }) => text).join('');
  }

  it('of the core and the catalogue in memory runs without Node', async () => {
    const text = await bundle(`
      import { createAnimalStore } from 'animal-store';
      import { InMemoryPetCatalogue } from 'animal-store/in-memory';
      const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7 }]);
      result = createAnimalStore({ catalogue }).getPet(1n);
    `);
    const context: { result?: Promise<unknown> } = {};
    runInNewContext(text, context);
    expect(await context.result).to.include({ id: 1n, name: 'Rex', categoryId: 7n });
  });

  it('of the remote catalogue needs no module of Node, and is at most 8 KiB, minified and compressed', async () => {
    const text = await bundle(`export { RemotePetCatalogue } from 'animal-store/remote';`, { minify: true });
    expect(gzipSync(text, { level: 9 }).length).to.be.lessThan(8 * 1024);
  });

  it('of the API keys in memory verifies them by Web Crypto', async () => {
    const text = await bundle(`
      import { createApiKeyManager } from 'animal-store';
      import { InMemoryApiKeys } from 'animal-store/in-memory';
      const keys = new InMemoryApiKeys([{ name: 'anna', key: 'a key of Anna' }]);
      const randomBytes = (size) => crypto.getRandomValues(new Uint8Array(size));
      const manager = createApiKeyManager({ registry: keys, now: () => new Date(), randomBytes });
      result = manager.issue({ name: 'ben' }).then(async ({ key }) =>
        Promise.all([key, 'a key of Anna', 'another'].map(async (text) => (await keys.verify(text))?.name)),
      );
    `);
    const context: { result?: Promise<unknown>; [name: string]: unknown } = { crypto: globalThis.crypto, TextEncoder };
    runInNewContext(text, context);
    expect(await context.result).to.deep.equal(['ben', 'anna', undefined]);
  });

  it('of the API keys in memory says what it needs on a page that has no SHA-256', async () => {
    const text = await bundle(`import { InMemoryApiKeys } from 'animal-store/in-memory'; new InMemoryApiKeys();`);
    expect(() => runInNewContext(text, { crypto: {} })).to.throw('InMemoryApiKeys needs SHA-256');
  });
});
