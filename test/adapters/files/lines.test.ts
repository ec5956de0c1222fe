import { expect } from 'chai';
import { FileError, LINE_MAX_BYTES, linesOf } from '../../../src/adapters/files/lines.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { allOf, chunksOf } from './chunks.js';

async function errorOf(content: string | Uint8Array, size?: number): Promise<string> {
  const error = await rejectionOf(allOf(linesOf(chunksOf(content, size))));
  expect(error).to.be.instanceOf(FileError);
  return (error as Error).message;
}

describe('linesOf', () => {
  it('yields the same lines however the text is cut into chunks', async () => {
    const text = 'Rex\n\n\u00e9😀\u2028x\r\nlast\n';
    for (let size = 1; size < 25; size++) {
      expect(await allOf(linesOf(chunksOf(text, size)))).to.deep.equal(['Rex', '', '\u00e9😀\u2028x\r', 'last']);
    }
  });

  it('yields the text after the last line feed, unless it is empty', async () => {
    expect(await allOf(linesOf(chunksOf('a\nb')))).to.deep.equal(['a', 'b']);
    expect(await allOf(linesOf(chunksOf('a\n')))).to.deep.equal(['a']);
    expect(await allOf(linesOf(chunksOf('')))).to.deep.equal([]);
  });

  it('names the line that is not UTF-8', async () => {
    for (const size of [1, 3, 100]) {
      expect(await errorOf(Buffer.from('a\nb\n\xff\nc\n', 'latin1'), size)).to.equal('line 3: is not UTF-8');
    }
    expect(await errorOf(Buffer.from('a\n\xc3', 'latin1'))).to.equal('line 2: is not UTF-8');
    expect(await errorOf(Buffer.from('\n\xff', 'latin1'))).to.equal('line 2: is not UTF-8');
  });

  it('accepts a line of 1 MiB, and names one that is longer', async () => {
    const longest = 'x'.repeat(LINE_MAX_BYTES);
    expect(await allOf(linesOf(chunksOf(`a\n${longest}\nb`)))).to.deep.equal(['a', longest, 'b']);
    expect(await errorOf(`a\n${longest}x\nb`)).to.equal('line 2: is longer than 1048576 bytes');
  });

  it('reads no more of an endless line than it may be long', async () => {
    let read = 0;
    async function* zeros() {
      for (; ; read += 65_536) yield Buffer.alloc(65_536);
    }
    expect(String(await rejectionOf(allOf(linesOf(zeros()))))).to.include('line 1: is longer than');
    expect(read).to.be.at.most(LINE_MAX_BYTES + 65_536);
  });
});
