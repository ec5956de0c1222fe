import { expect } from 'chai';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, parseInt64, toInt64 } from '../../src/domain/int64.js';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const beyond = fc.oneof(fc.bigInt({ min: INT64_MAX + 1n }), fc.bigInt({ max: INT64_MIN - 1n }));

describe('int64', () => {
  it('reaches from −9223372036854775808 to 9223372036854775807', () => {
    expect(INT64_MIN).to.equal(-9223372036854775808n);
    expect(INT64_MAX).to.equal(9223372036854775807n);
  });
});

describe('parseInt64', () => {
  it('reads back every int64 that is written in decimal', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(parseInt64(String(value))).to.equal(value);
      }),
    );
  });

  it('reads both ends of the range', () => {
    expect(parseInt64('9223372036854775807')).to.equal(INT64_MAX);
    expect(parseInt64('-9223372036854775808')).to.equal(INT64_MIN);
  });

  it('refuses every integer beyond the range', () => {
    fc.assert(
      fc.property(beyond, (value) => {
        expect(parseInt64(String(value))).to.equal(undefined);
      }),
    );
    expect(parseInt64('9223372036854775808')).to.equal(undefined);
    expect(parseInt64('-9223372036854775809')).to.equal(undefined);
  });

  for (const text of ['', '-', '+1', '01', '-0', ' 1', '1 ', '1\n', '1.0', '1e3', '0x1', '1_0', '1n', '١']) {
    it(`refuses ${JSON.stringify(text)}, which is not canonical`, () => {
      expect(parseInt64(text)).to.equal(undefined);
    });
  }

  it('refuses every text that is not canonical', () => {
    const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-+. e')), maxLength: 21 });
    fc.assert(
      fc.property(fc.oneof(digits, fc.string()), (text) => {
        const value = parseInt64(text);
        expect(value === undefined || String(value) === text).to.equal(true);
      }),
    );
  });
});

describe('toInt64', () => {
  it('keeps every bigint in range', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(toInt64(value)).to.equal(value);
      }),
    );
  });

  it('refuses every bigint beyond the range', () => {
    fc.assert(
      fc.property(beyond, (value) => {
        expect(toInt64(value)).to.equal(undefined);
      }),
    );
  });

  it('accepts every safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(toInt64(value)).to.equal(BigInt(value));
      }),
    );
  });

  it('refuses every number that may have been rounded', () => {
    for (const value of [2 ** 53, -(2 ** 53), 2 ** 63, 1e300]) expect(toInt64(value)).to.equal(undefined);
  });

  it('refuses everything else', () => {
    for (const value of [1.5, NaN, Infinity, '7', null, undefined, true, [], {}, new Date(0)]) {
      expect(toInt64(value)).to.equal(undefined);
    }
  });
});
