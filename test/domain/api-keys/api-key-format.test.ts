import { expect } from 'chai';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { isApiKeyFormat, makeApiKeyText } from '../../../src/domain/api-keys/api-key-format.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { anyText } from '../../support/any-text.js';

const PREFIX = 'ask_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the text of an API key', () => {
  it('is ask_ and 38 characters of base62', () => {
    for (let i = 0; i < 100; i++) expect(generateApiKey()).to.match(/^ask_[0-9A-Za-z]{38}$/);
  });

  it('ends with the CRC-32 of the characters before, in base62', () => {
    expect(isApiKeyFormat(`ask_${'0'.repeat(32)}2CGNRW`)).to.equal(true);
    expect(isApiKeyFormat(`ask_${'0'.repeat(32)}2CGNRX`)).to.equal(false);
    expect(isApiKeyFormat(generateApiKey())).to.equal(true);
  });

  it('is the same for the same bytes, and different for others', () => {
    const bytes = new Uint8Array(32);
    expect(makeApiKeyText(bytes)).to.equal(`ask_${'0'.repeat(32)}2CGNRW`);
    expect(makeApiKeyText(bytes.with(31, 61))).to.match(/^ask_0{31}z/);
  });

  it('is not valid if a character is mistyped', () => {
    const mistyped = fc.tuple(fc.nat(37), fc.constantFrom(...BASE62));
    fc.assert(
      fc.property(mistyped, ([at, character]) => {
        const key = generateApiKey();
        const other = key.slice(0, at + 4) + character + key.slice(at + 5);
        expect(isApiKeyFormat(other)).to.equal(other === key);
      }),
    );
  });

  it('refuses a longer text that ends with its own checksum', () => {
    for (const text of [`x${PREFIX}${'0'.repeat(32)}`, `${PREFIX}${'0'.repeat(33)}`]) {
      const checksum = Array.from({ length: 6 }, (_, i) => BASE62[Math.trunc(crc32(text) / 62 ** (5 - i)) % 62]);
      expect(isApiKeyFormat(text + checksum.join('')), text).to.equal(false);
    }
  });

  it('is recognised among other strings', () => {
    fc.assert(fc.property(anyText(), (text) => !isApiKeyFormat(text)));
    const key = generateApiKey();
    for (const text of ['', `${key} `, `\n${key}`, `${key}\n`, key.toUpperCase(), key.slice(4)]) {
      expect(isApiKeyFormat(text), JSON.stringify(text)).to.equal(false);
    }
  });
});
