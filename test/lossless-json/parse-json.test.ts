import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'json-custom-numbers';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { JsonError, parseJson } from '../../src/lossless-json/parse-json.js';
import { anyText } from '../support/any-text.js';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

/** The value of a decimal numeral, as a fraction: numerator and denominator. */
function fractionOf(whole: bigint, fraction: string, exponent: number): [bigint, bigint] {
  const sign = whole < 0n ? -1n : 1n;
  const numerator = whole * 10n ** BigInt(fraction.length) + sign * BigInt(fraction === '' ? '0' : fraction);
  const shift = exponent - fraction.length;
  return shift >= 0 ? [numerator * 10n ** BigInt(shift), 1n] : [numerator, 10n ** BigInt(-shift)];
}

describe('parseJson', () => {
  it('keeps every int64 in plain digits exactly', () => {
    fc.assert(fc.property(int64, (value) => parseJson(String(value)) === value));
  });

  it('reads a number with a fraction and an exponent as the int64 of its value, or as NaN', () => {
    const numeral = fc.tuple(
      fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n }),
      fc.stringMatching(/^[0-9]{0,5}0{0,20}$/),
      fc.integer({ min: -30, max: 30 }),
    );
    fc.assert(
      fc.property(numeral, ([whole, fraction, exponent]) => {
        fc.pre(whole !== 0n);
        const [numerator, denominator] = fractionOf(whole, fraction, exponent);
        const worth = numerator / denominator;
        const isInt64 = numerator % denominator === 0n && worth >= INT64_MIN && worth <= INT64_MAX;
        const text = `${whole}${fraction === '' ? '' : `.${fraction}`}e${exponent}`;
        expect(parseJson(text), text).to.deep.equal(isInt64 ? worth : Number.NaN);
      }),
      { numRuns: 1000 },
    );
  });

  const NUMBERS: Readonly<Record<string, bigint | undefined>> = {
    '-0': 0n,
    '-0.0e-9': 0n,
    '0e999999999999999999': 0n,
    '70E-1': 7n,
    '0.07e+2': 7n,
    '9223372036854775808': undefined,
    '-9223372036854775809': undefined,
    '9.223372036854775807e18': INT64_MAX,
    '1e99999999999999999999': undefined,
    ['9'.repeat(100_000)]: undefined,
    [`7.${'0'.repeat(100_000)}`]: 7n,
    [`7.${'0'.repeat(100_000)}1`]: undefined,
    [`7${'0'.repeat(100_000)}e-100000`]: 7n,
    [`0.${'0'.repeat(99_999)}7e100000`]: 7n,
    [`7e${'9'.repeat(100_000)}`]: undefined,
    [`7e-${'9'.repeat(100_000)}`]: undefined,
    [`0e${'9'.repeat(100_000)}`]: 0n,
    [`7e${'0'.repeat(100_000)}1`]: 70n,
  };
  for (const [text, value] of Object.entries(NUMBERS)) {
    it(`reads the number ${text.slice(0, 24)} of ${text.length} characters`, () => {
      expect(parseJson(text)).to.deep.equal(value ?? Number.NaN);
    });
  }

  it('gives its caller the text of a number that is no int64', () => {
    expect(parseJson('[1.50, 7.0, 9223372036854775808]', String)).to.deep.equal(['1.50', 7n, '9223372036854775808']);
  });

  it('reads a flat object as the parser does that keeps every digit', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }).map((value) => JSON.stringify(value)),
      fc.string({ unit: fc.constantFrom(...'10.e-},:"{[\\') }).map((value) => JSON.stringify(value)),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.constantFrom(
        'true',
        'null',
        '-0',
        '1e3',
        '1E3',
        '7.0',
        '{"b":7}',
        '[1]',
        '999999999999999',
        '1000000000000000',
      ),
    );
    const member = fc.tuple(fc.constantFrom('name', 'categoryId', 'a1', '1e9', '12345678901234567'), scalar);
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const text = `{${members.map(([name, value]) => `"${name}":${value}`).join(', ')}}`;
        expect(parseJson(text), text).to.deep.equal(parse(text, undefined, (_key, number) => parseJson(number)));
      }),
      { numRuns: 5000 },
    );
  });

  for (const text of [' '.repeat(2 ** 23), `"name":"${'x'.repeat(2 ** 23)}",`, '"name":"Rex",'.repeat(2 ** 19)]) {
    it(`reads a text with millions of ${JSON.stringify(text.slice(0, 12))}`, () => {
      expect(parseJson(`{${text}"categoryId":7}`)).to.have.property('categoryId', 7n);
    });
  }

  it('agrees with JSON.parse on everything but numbers', () => {
    const value = fc.letrec((tie) => ({
      leaf: fc.oneof(anyText(), fc.boolean(), fc.constant(null)),
      node: fc.oneof(
        tie('leaf'),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('node'),
          { maxKeys: 4 },
        ),
      ),
    })).node;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (expected, space) => {
        const text = JSON.stringify(expected, undefined, space);
        expect(JSON.stringify(parseJson(text))).to.equal(JSON.stringify(expected));
      }),
    );
  });

  it('refuses every text that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12, unit: fc.constantFrom(...'{}[]",:0-1.eE+trufalsn \\u\n') }), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (isJson) parseJson(text);
        else expect(() => parseJson(text), text).to.throw(JsonError);
      }),
      { numRuns: 2000 },
    );
  });

  for (const [text, position] of [
    ['{"name":}', 9],
    ['[][]', 3],
    ['{"name":{}} \t\r\n x', 17],
    ['[1', 3],
    ['', 1],
  ] as const) {
    it(`reports the position of the first error, counted from 1: ${position} in ${JSON.stringify(text)}`, () => {
      expect(() => parseJson(text)).to.throw(JsonError, new RegExp(`position ${position}$`));
    });
  }

  it('repeats nothing of the text in its message', () => {
    expect(() => parseJson('{"name":"secret" oops}'))
      .to.throw(JsonError)
      .with.property('message')
      .that.does.not.match(/secret|oops/);
  });

  it('lets the last of repeated members count', () => {
    expect(parseJson('{"a":1,"a":2}')).to.deep.equal({ a: 2n });
  });

  for (const name of ['__proto__', '\\u005f_proto__', '__\\u0070roto__']) {
    it(`lets no object inherit from a member ${name}, however deep, and ignores it`, () => {
      const animal = `{"name":"Rex","${name}":{"id":1,"${name}":[2]}}`;
      for (const text of [animal, `[${animal}]`, `{"pets":[[${animal}]]}`, `{"name":"Rex","${name}":7}`]) {
        const objects: object[] = [];
        JSON.stringify(parseJson(text), (_key, value: unknown) => {
          if (typeof value === 'object' && value !== null && !Array.isArray(value)) objects.push(value);
          return typeof value === 'bigint' ? String(value) : value;
        });
        expect(objects).not.to.deep.equal([]);
        for (const object of objects) {
          expect([null, Object.prototype]).to.include(Object.getPrototypeOf(object) as unknown);
          expect(Object.keys(object)).not.to.include('__proto__');
          expect((object as { readonly id?: unknown }).id).to.equal(undefined);
        }
      }
    });
  }

  it('accepts 100 levels of nesting, and no more, as members __proto__ neither', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parseJson(nested(100))).to.be.an('array');
    const chain = `${'{"__proto__":'.repeat(5000)}0${'}'.repeat(5000)}`;
    const objects = `${'{"a":'.repeat(101)}0${'}'.repeat(101)}`;
    for (const text of [nested(101), nested(200_000), objects, `{"__proto__":${chain},"0":1}`]) {
      expect(() => parseJson(text)).to.throw(JsonError, 'nested more than 100 levels deep');
    }
  });
});
