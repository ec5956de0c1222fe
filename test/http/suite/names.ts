import { expect } from 'chai';
import { before as justBefore, createPet, expectError, petOf } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const KEPT: Record<string, string> = {
  'one code point': 'R',
  'one code point beyond the basic plane': '😀',
  '1,024 code points': 'x'.repeat(1024),
  '1,024 code points beyond the basic plane': '😀'.repeat(1024),
  '1,023 spaces and a letter': `${' '.repeat(1023)}R`,
  'white space around it': ' \t\n Rex \r\u3000',
  'composed and decomposed letters': '\u00e9 e\u0301 \u212b \u01c4',
  'a joined emoji': '👩‍👩‍👧‍👦',
  'control characters': '\u0001\u001f\u007f',
  'line separators': 'a\u2028b\u2029c',
  noncharacters: '\ufdd0\ufffe\uffff\u{10ffff}',
  'the replacement character': '\ufffd',
  'letters written from right to left': 'كلب\u202e',
  'what looks like markup': '<script>alert(1)</script>&amp;',
  'what looks like a query': '{"$gt":""}',
  'quotes and backslashes': '"\\"\\\\\'',
  'the name of an inherited member': '__proto__',
  digits: '007',
  'a word of JSON': 'null',
};

const REFUSED: Record<string, string> = {
  'no code point': '""',
  '1,025 code points': JSON.stringify('x'.repeat(1025)),
  '1,025 code points beyond the basic plane': JSON.stringify('😀'.repeat(1025)),
  '60,000 code points': JSON.stringify('x'.repeat(60_000)),
  'U+0000': '"Re\\u0000x"',
  'U+0000 alone': '"\\u0000"',
  'a high surrogate alone': '"Re\\ud800x"',
  'a low surrogate alone': '"Re\\udc00x"',
  'surrogates in the wrong order': '"\\ude00\\ud83d"',
  'a high surrogate at the end': '"Rex\\ud83d"',
};

const WHITE = [' ', '\t', '\n', '\r\n', '\u000b', '\u00a0', '\u1680', '\u2003', '\u2028', '\u202f', '\u205f', '\u3000'];

function body(json: string): string {
  return `{"name":${json},"categoryId":7}`;
}

/** The tests that a store keeps a name. */
export function declareKeptNames(service: GetService): void {
  describe('name', () => {
    for (const [what, name] of Object.entries(KEPT)) {
      it(`keeps ${what} exactly`, async () => {
        const pet = await createPet(service(), body(JSON.stringify(name)));
        expect(pet.name).to.equal(name);
        expect(petOf(await get(service(), `/pets/${pet.id}`), 200).name).to.equal(name);
        expect(petOf(await get(service(), `/pets?limit=1&after=${justBefore(pet)}`), 200).name).to.equal(name);
      });
    }
  });
}

/** The tests of the name of an animal. */
export function declareNames(service: GetService): void {
  describe('name', () => {
    it('reads an escaped pair of surrogates as one character', async () => {
      expect((await createPet(service(), body('"\\ud83d\\uDE00"'))).name).to.equal('😀');
    });

    for (const [what, json] of Object.entries(REFUSED)) {
      it(`refuses ${what}`, async () => {
        expect(expectError(await post(service(), body(json)), 400, 'invalid_body')).to.match(/\bname\b/);
      });
    }

    for (const white of WHITE) {
      it(`refuses nothing but ${JSON.stringify(white)} (U+${white.charCodeAt(0).toString(16).padStart(4, '0')})`, async () => {
        for (const name of [white, white.repeat(5), `${white} ${white}`]) {
          expectError(await post(service(), body(JSON.stringify(name))), 400, 'invalid_body');
        }
      });
    }

    it('refuses white space of many kinds together', async () => {
      expectError(await post(service(), body(JSON.stringify(WHITE.join('')))), 400, 'invalid_body');
    });
  });
}
