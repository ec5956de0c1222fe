import { expect } from 'chai';
import fc from 'fast-check';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { makeNewPet } from '../../src/domain/pet.js';
import { anyText } from '../support/any-text.js';

/** All characters with the Unicode property White_Space. */
const WHITE_SPACE = Array.from(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

const KEPT: Readonly<Record<string, readonly string[]>> = {
  'with white space around it': [' \tRex\n ', ...WHITE_SPACE.map((letter) => `${letter}R${letter}`)],
  'with decomposed, composed and compatibility letters': ['e\u0301', '\u00e9', '\ufb01', '\u212b'],
  'of one code point': ['R', '😀', '\u0001', '\u0301'],
  'of 1,024 code points, however many code units they take': ['R'.repeat(1024), '😀'.repeat(1024)],
  'of invisible characters that are not white space': ['\u200b', '\ufeff', '\u180e', '\u2060'],
};

const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  'of no code point': [''],
  'of more than 1,024 code points': [
    ...['R', '😀'].map((letter) => letter.repeat(1025)),
    '😀'.repeat(1024) + 'R',
    'R'.repeat(1_000_000),
  ],
  'of white space alone': [...WHITE_SPACE.map((letter) => letter.repeat(3)), WHITE_SPACE.join('')],
  'with U+0000 at any position': ['\0', '\0Rex', 'R\0ex', 'Rex\0'],
  'with a lone surrogate at any position': ['\ud800', '\udc00', 'R\ud83d', '\ude00R', '\ude00\ud83d', '😀\ud83d😀'],
  'that is no string': [undefined, null, 7, 7n, true, ['Rex'], { toString: () => 'Rex' }, Object('Rex')],
};

function nameKept(name: unknown): string {
  return makeNewPet({ name: name as string, categoryId: 1n }).name;
}

describe('the name of an animal', () => {
  it('is kept code unit for code unit, whatever it contains', () => {
    const names = anyText({ minLength: 1, maxLength: 1024 }).filter(
      (name) => !name.includes('\0') && [...name].some((letter) => !WHITE_SPACE.includes(letter)),
    );
    fc.assert(
      fc.property(names, (name) => {
        expect(nameKept(name)).to.equal(name);
      }),
    );
  });

  for (const [what, names] of Object.entries(KEPT)) {
    it(`is kept as it is: one ${what}`, () => {
      for (const name of names) expect(nameKept(name)).to.equal(name);
    });
  }

  for (const [what, names] of Object.entries(REFUSED)) {
    it(`is refused: one ${what}`, () => {
      for (const name of names) {
        expect(() => nameKept(name))
          .to.throw(AnimalStoreError, /^name must be a string of 1 to 1024 Unicode code points/)
          .with.property('code', 'invalid_pet');
      }
    });
  }
});
