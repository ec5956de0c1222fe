import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'json-custom-numbers';
import { parsePlainObject } from '../../src/json/plain-object.js';

/** The value of a text according to the parser that keeps every digit, with integers as `bigint`. */
function exactly(text: string): unknown {
  return parse(text, undefined, (_key, digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : digits));
}

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc
    .string({ unit: fc.constantFrom('1', '0', '.', 'e', '-', '}', ',', ':', '"', '{', '[', '\\') })
    .map((value) => JSON.stringify(value)),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('true', 'null', '-0', '1e3', '1E3', '7.0', '{}', '[1]', '999999999999999', '1000000000000000'),
);
const object = fc
  .array(
    fc.tuple(fc.constantFrom('name', 'categoryId', 'status', 'a1', '1e9', '12345678901234567', '__proto__'), scalar),
  )
  .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(', ')}}`);

describe('parsePlainObject', () => {
  it('reads the body of a new animal', () => {
    expect(parsePlainObject('{"name":"Rex 7","categoryId":7,"status":"sold"}')).to.deep.equal({
      name: 'Rex 7',
      categoryId: 7n,
      status: 'sold',
    });
    expect(parsePlainObject('\t\r\n {"a":true,"b":false,"c":null}')).to.deep.equal({ a: true, b: false, c: null });
    expect(parsePlainObject(' {"categoryId" : -999999999999999}\n')).to.deep.equal({ categoryId: -999999999999999n });
  });

  for (const [what, text] of Object.entries({
    blanks: `{"name":"Rex",${' '.repeat(8 * 2 ** 20)}"categoryId":7}`,
    letters: `{"name":"${'x'.repeat(8 * 2 ** 20)}","categoryId":7}`,
    strings: `{${'"name":"Rex",'.repeat(2 ** 19)}"categoryId":7}`,
  })) {
    it(`reads a text with millions of ${what}`, () => {
      expect(parsePlainObject(text)).to.have.property('categoryId', 7n);
    });
  }

  it('returns the same value as the parser that keeps every digit, or leaves the text to it', () => {
    fc.assert(
      fc.property(object, (text) => {
        const plain = parsePlainObject(text);
        if (plain !== undefined) expect(plain, text).to.deep.equal(exactly(text));
      }),
      { numRuns: 5000 },
    );
  });

  for (const text of [
    '{"categoryId":1000000000000000}',
    '{"categoryId":7.0}',
    '{"categoryId":7e0}',
    '{"__proto__":7}',
    '{"a":{}}',
    '{"a":[]}',
    '{"a":"\\u0041"}',
    '{"categoryId":07}',
    '[7]',
    'null',
    '',
  ]) {
    it(`leaves ${text || 'nothing'} alone`, () => {
      expect(parsePlainObject(text)).to.equal(undefined);
    });
  }
});
