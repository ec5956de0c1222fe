import { expect } from 'chai';
import { before as justBefore, createPet, expectError, petOf } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

/** What JSON escapes, and what a careless reader of JSON changes. */
const KEPT: Record<string, string> = {
  '1,024 code points beyond the basic plane': '😀'.repeat(1024),
  'white space around it': ' \t\n Rex \r\u3000',
  'composed and decomposed letters': '\u00e9 e\u0301 \u212b \u01c4',
  'control characters': '\u0001\u001f\u007f',
  'quotes and backslashes': '"\\"\\\\\'',
};

const REFUSED: Record<string, string> = {
  'no code point': '""',
  'U+0000': '"Re\\u0000x"',
  'a high surrogate alone': '"Re\\ud800x"',
  'white space alone': '"\\u2003\\t"',
};

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
  });
}
