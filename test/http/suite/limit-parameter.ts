import { expect } from 'chai';
import { before as justBefore, createPets, expectError, listedIds, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';

const REFUSED = {
  zero: '0',
  'more than 100': '101',
  'a leading zero': '007',
  'an encoded plus sign': '%2B5',
  'a plus sign': '+5',
  'a fraction': '5.0',
  'a digit that is not ASCII': '%D9%A5',
  'a space after it': '5%20',
  'a line feed after it': '5%0A',
  'U+0000 after it': '5%00',
  'a list': '5,6',
  'a number that is 5 modulo 2^64': '18446744073709551621',
  nothing: '',
  'a per cent sign that encodes nothing': '%zz',
  'a per cent sign at the end': '5%',
  'bytes that are not UTF-8': '%FF',
  'a second question mark': '5?status=sold',
  'a second equals sign': '=5',
};

/** The tests of the parameter `limit`. */
export function declareLimitParameter(service: GetService): void {
  describe('limit', () => {
    let pets: PetText[];
    before(async () => {
      pets = await createPets(service(), 102);
    });
    const countListed = async (parameters: string): Promise<number> =>
      (await listedIds(service(), `after=${justBefore(pets[0] as PetText)}${parameters}`)).length;

    for (const limit of [1, 2, 9, 10, 99, 100]) {
      it(`lists ${limit} animals for ${limit}`, async () => {
        expect(await countListed(`&limit=${limit}`)).to.equal(limit);
      });
    }

    it('is 20 if it is not given', async () => {
      expect(await countListed('')).to.equal(20);
    });

    it('may be written with encoded digits', async () => {
      expect(await countListed('&limit=%31%30')).to.equal(10);
    });

    it('may have its name encoded', async () => {
      expect(await countListed('&%6Cimi%74=3')).to.equal(3);
    });

    for (const [what, value] of Object.entries(REFUSED)) {
      it(`refuses ${what}`, async () => {
        const message = expectError(await get(service(), `/pets?limit=${value}`), 400, 'invalid_parameter');
        expect(message).to.contain('limit');
      });
    }

    for (const query of ['limit', 'limit&status=sold', 'limit=5&limit=5', 'limit=5&limit', 'limit=5&%6cimit=6']) {
      it(`refuses ?${query}`, async () => {
        expect(expectError(await get(service(), `/pets?${query}`), 400, 'invalid_parameter')).to.contain('limit');
      });
    }
  });
}
