import { expect } from 'chai';
import { before as justBefore, createPets, expectError, listedIds, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';

const REFUSED = {
  'one more than the greatest int64': '9223372036854775808',
  'one less than the least int64': '-9223372036854775809',
  'a plus sign': '+1',
  'an encoded plus sign': '%2B1',
  'a fraction': '1.0',
  'a digit that is not ASCII': '%D9%A1',
  'a space after it': '1+',
  nothing: '',
  'what cannot be decoded': '%zz',
  'bytes that are not UTF-8': '1%C0',
};

/** The tests of the parameter `after`. */
export function declareAfterParameter(service: GetService): void {
  describe('after', () => {
    let pets: PetText[];
    let ids: string[];
    before(async () => {
      pets = await createPets(service(), 5);
      ids = pets.map(({ id }) => id);
    });

    it('lists animals whose id is greater, in ascending order', async () => {
      expect(await listedIds(service(), `limit=5&after=${justBefore(pets[0] as PetText)}`)).to.deep.equal(ids);
    });

    it('leaves out the animal of that very id', async () => {
      expect(await listedIds(service(), `limit=4&after=${ids[0]}`)).to.deep.equal(ids.slice(1));
    });

    it('lists nothing after the last animal', async () => {
      expect(await listedIds(service(), `after=${ids[4]}`)).to.deep.equal([]);
    });

    it('lists nothing after the greatest int64', async () => {
      const answer = await get(service(), '/pets?after=9223372036854775807');
      expect(answer.status).to.equal(200);
      expect(answer.text).to.equal('[]');
    });

    for (const after of ['-9223372036854775808', '-9007199254740993', '-1', '0', '%30', '-%31']) {
      it(`lists from the first animal on after ${after}`, async () => {
        const fromTheFirst = await listedIds(service(), 'limit=2');
        expect(fromTheFirst).to.have.length(2);
        expect(await listedIds(service(), `limit=2&after=${after}`)).to.deep.equal(fromTheFirst);
      });
    }

    for (const [what, value] of Object.entries(REFUSED)) {
      it(`refuses ${what}`, async () => {
        const message = expectError(await get(service(), `/pets?after=${value}`), 400, 'invalid_parameter');
        expect(message).to.contain('after');
      });
    }

    for (const query of ['after', 'after=1&after=1', 'after=1&%61fter=2', 'after=&after=1']) {
      it(`refuses ?${query}`, async () => {
        expect(expectError(await get(service(), `/pets?${query}`), 400, 'invalid_parameter')).to.contain('after');
      });
    }
  });
}
