import { expect } from 'chai';
import fc from 'fast-check';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { makeNewPet } from '../../src/domain/pet.js';
import { anyText } from '../support/any-text.js';

/** All characters with the Unicode property White_Space. */
const WHITE_SPACE = Array.from(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

function nameKept(name: unknown): string {
  return makeNewPet({ name: name as string, categoryId: 1n }).name;
}

function expectRefused(name: unknown): void {
  expect(() => nameKept(name))
    .to.throw(AnimalStoreError, /^name must be a string of 1 to 1024 Unicode code points/)
    .with.property('code', 'invalid_pet');
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

  it('is not trimmed', () => {
    expect(nameKept(' \tRex\n ')).to.equal(' \tRex\n ');
  });

  it('is not normalised', () => {
    for (const name of ['e\u0301', '\u00e9', '\ufb01', '\u212b']) expect(nameKept(name)).to.equal(name);
  });

  it('may be as short as one code point', () => {
    for (const name of ['R', '😀', '\u0001', '\u0301']) expect(nameKept(name)).to.equal(name);
  });

  it('is not empty', () => {
    expectRefused('');
  });

  it('may have 1,024 code points, however many code units they take', () => {
    for (const letter of ['R', '😀']) expect(nameKept(letter.repeat(1024))).to.equal(letter.repeat(1024));
  });

  it('has no more than 1,024 code points', () => {
    for (const letter of ['R', '😀']) expectRefused(letter.repeat(1025));
    expectRefused('😀'.repeat(1024) + 'R');
    expectRefused('R'.repeat(1_000_000));
  });

  it('does not consist of white space alone', () => {
    expect(WHITE_SPACE.length).to.equal(25);
    for (const letter of WHITE_SPACE) expectRefused(letter.repeat(3));
    expectRefused(WHITE_SPACE.join(''));
  });

  it('may have any white space around one other character', () => {
    for (const letter of WHITE_SPACE) expect(nameKept(`${letter}R${letter}`)).to.equal(`${letter}R${letter}`);
  });

  it('may consist of invisible characters that are not white space', () => {
    for (const name of ['\u200b', '\ufeff', '\u180e', '\u2060']) expect(nameKept(name)).to.equal(name);
  });

  it('does not contain U+0000 at any position', () => {
    for (const name of ['\0', '\0Rex', 'R\0ex', 'Rex\0']) expectRefused(name);
  });

  it('does not contain a lone surrogate at any position', () => {
    for (const name of ['\ud800', '\udc00', 'Rex\ud83d', '\ude00Rex', '\ude00\ud83d', '😀\ud83d😀'])
      expectRefused(name);
  });

  it('is a string', () => {
    for (const name of [undefined, null, 7, 7n, true, ['Rex'], { toString: () => 'Rex' }, Object('Rex')]) {
      expectRefused(name);
    }
  });
});
