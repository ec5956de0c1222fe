import { expect } from 'chai';
import { NOT_OF_CLIENTS, READERS } from '../http/costs/readers.js';
import { filesThatRead } from './files-that-read.js';

const WHAT_TO_DO =
  'name the file in test/http/costs/readers.ts: in READERS, with the shapes that may cost it most, or in NOT_OF_CLIENTS with the reason';

describe('a source that reads texts', function () {
  this.timeout(180_000);
  let found: readonly string[];
  before(() => {
    found = filesThatRead();
  });

  it('is measured if the texts come from clients', () => {
    const isListed = (file: string): boolean =>
      READERS.some(({ files }) => files.includes(file)) ||
      Object.keys(NOT_OF_CLIENTS).some((path) => path === file || (path.endsWith('/') && file.startsWith(path)));
    expect(
      found.filter((file) => !isListed(file)),
      WHAT_TO_DO,
    ).to.deep.equal([]);
  });

  it('is there if test/http/costs/readers.ts names it', () => {
    const listed = [...READERS.flatMap(({ files }) => files), ...Object.keys(NOT_OF_CLIENTS)];
    expect(listed.filter((path) => !found.some((file) => file.startsWith(path)))).to.deep.equal([]);
  });
});
