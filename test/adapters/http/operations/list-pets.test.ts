import { expect } from 'chai';
import { HttpError } from '../../../../src/adapters/http/errors.js';
import { parseListQuery } from '../../../../src/adapters/http/operations/list-pets.js';

describe('parseListQuery', () => {
  it('reads each parameter', () => {
    expect(parseListQuery('limit=7&status=sold&after=-9223372036854775808')).to.deep.equal({
      limit: 7,
      status: 'sold',
      after: -(2n ** 63n),
    });
  });

  it('reads the greatest limit', () => {
    expect(parseListQuery('limit=100')).to.include({ limit: 100 });
  });

  for (const limit of ['05', '101']) {
    it(`names the range and the notation of limit for ${limit}`, () => {
      expect(() => parseListQuery(`limit=${limit}`)).to.throw(
        HttpError,
        'limit must be an integer from 1 to 100, in decimal digits without sign or leading zero',
      );
    });
  }

  it('names the range and the notation of after', () => {
    expect(() => parseListQuery('after=%2B7')).to.throw(
      HttpError,
      'after must be an integer from -9223372036854775808 to 9223372036854775807, in decimal digits without plus sign or leading zero',
    );
  });

  it('names every parameter that is invalid', () => {
    expect(() => parseListQuery('limit=0&status=Sold&after=1&after=1')).to.throw(
      HttpError,
      /^limit must .*; status must be one of available, pending, sold; after must be given once$/,
    );
  });
});
