import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/child.js';
import { sourceFiles } from './sources.js';

/**
 * The files that compare the digest of a presented key with one from a database. In memory and on MongoDB, a map finds the key by
 * its digest.
 */
const JUDGES = ['src/adapters/sqlite/sqlite-api-keys.ts'];

describe('the digests of API keys', () => {
  it('from a database are compared in constant time, and only by the adapters of ApiKeys', async () => {
    const comparing: string[] = [];
    for (const file of await sourceFiles()) {
      if (/\btimingSafeEqual\(/.test(await readFile(join(ROOT, file), 'utf8'))) comparing.push(file);
    }
    expect(comparing).to.deep.equal(JUDGES);
  });
});
