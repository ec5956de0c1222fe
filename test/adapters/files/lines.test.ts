import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { FileError, LINE_MAX_BYTES, linesOf } from '../../../src/adapters/files/lines.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { allOf, chunksOf } from './chunks.js';

const HEADER = 'name,categoryId,status\nRex,7,sold\n';

async function textsOf(content: string | Uint8Array, size?: number): Promise<readonly string[]> {
  return (await allOf(linesOf(chunksOf(content, size)))).flat().map(({ text }) => text);
}

async function errorOf(content: string | Uint8Array, size?: number): Promise<string> {
  const error = await rejectionOf(textsOf(content, size));
  expect(error).to.be.instanceOf(FileError);
  return (error as Error).message;
}

describe('linesOf', () => {
  it('yields the same lines, counted as editors do, however the text is cut into chunks', async () => {
    const text = '\ufeffRex\n\n\u00e9😀\u2028x\r\n\u2029\0\u0085\r\r\n\r\ufeffm\n\rlast\n';
    for (let size = 1; size < 40; size++) {
      const lines = await allOf(linesOf(chunksOf(text, size)));
      expect(lines.flat().map(({ number, text, end }) => [number, text, end])).to.deep.equal([
        [1, 'Rex', '\n'],
        [2, '', '\n'],
        [3, '\u00e9😀\u2028x', '\r\n'],
        [4, '\u2029\0\u0085', '\r'],
        [5, '', '\r\n'],
        [6, '', '\r'],
        [7, '\ufeffm', '\n'],
        [8, '', '\r'],
        [9, 'last', '\n'],
      ]);
    }
  });

  it('yields the text after the last line end, unless it is empty', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(await textsOf(`a${end}b`)).to.deep.equal(['a', 'b']);
      expect(await textsOf(`a${end}`)).to.deep.equal(['a']);
    }
    expect(await textsOf('')).to.deep.equal([]);
  });

  it('names the line that is not UTF-8', async () => {
    for (const size of [1, 3, 100]) {
      expect(await errorOf(Buffer.from('a\r\nb\r\xff\nc\n', 'latin1'), size)).to.equal(
        'line 3: is not UTF-8: save the file as UTF-8',
      );
    }
    expect(await errorOf(Buffer.from('a\n\xc3', 'latin1'))).to.equal('line 2: is not UTF-8: save the file as UTF-8');
    expect(await errorOf(Buffer.from('\n\xff', 'latin1'))).to.equal('line 2: is not UTF-8: save the file as UTF-8');
  });

  const utf16 = Buffer.from(`\ufeff${HEADER}`, 'utf16le');
  const OTHERS: Readonly<Record<string, readonly [content: Uint8Array, looksLike: string]>> = {
    'UTF-16, little-endian': [utf16, 'UTF-16'],
    'UTF-16, big-endian': [Buffer.from(utf16).swap16(), 'UTF-16'],
    'UTF-16 without a byte order mark': [utf16.subarray(2), 'UTF-16'],
    'UTF-16 without a byte order mark, big-endian': [Buffer.from(utf16.subarray(2)).swap16(), 'UTF-16'],
    gzip: [gzipSync(HEADER), 'gzip'],
    Zstandard: [Buffer.from('28b52ffd2400', 'hex'), 'Zstandard'],
    'a spreadsheet': [Buffer.from('PK\x03\x04\x14\0\x06\0\n'), 'a ZIP archive or a spreadsheet'],
    'an SQLite file': [Buffer.from('SQLite format 3\0\x10\0\n'), 'an SQLite database'],
  };
  for (const [what, [content, looksLike]] of Object.entries(OTHERS)) {
    it(`says what a file looks like that is not text in UTF-8: ${what}`, async () => {
      for (const size of [1, 100]) {
        const start = `the file is not text in UTF-8; it looks like ${looksLike}`;
        expect((await errorOf(content, size)).slice(0, start.length)).to.equal(start);
      }
    });
  }

  it('accepts a line of 1 MiB, and names one that is a chunk longer', async () => {
    const longest = 'é'.repeat(LINE_MAX_BYTES / 2);
    expect(await textsOf(`a\n${longest}\r\nb`)).to.deep.equal(['a', longest, 'b']);
    expect(await errorOf(`a\n${longest}${'x'.repeat(65_536)}\nb`)).to.equal('line 2: is longer than 1048576 bytes');
  });

  it('bounds no file whose chunks end as its lines do', async () => {
    expect(await textsOf(`${'x'.repeat(1023)}\r`.repeat(1100), 1024)).to.have.length(1100);
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
