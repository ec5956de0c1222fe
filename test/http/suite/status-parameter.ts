import { expect } from 'chai';
import { before as justBefore, createPet, expectError, listedIds, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';

const STATUSES = ['available', 'pending', 'sold'] as const;
const REFUSED = ['lost', 'Available', 'sold%20', '+sold', 'sold,pending', '', '%zz', 'sold%FF', '__proto__'];

/** The tests of the parameter `status`. */
export function declareStatusParameter(service: GetService): void {
  describe('status', () => {
    const pets: PetText[] = [];
    before(async () => {
      // The suite may run several times in one process.
      pets.length = 0;
      for (const status of [...STATUSES, undefined, ...STATUSES]) {
        pets.push(await createPet(service(), JSON.stringify({ name: 'Rex', categoryId: 7, status })));
      }
    });
    const listed = async (query: string): Promise<string[]> =>
      listedIds(service(), `${query}&after=${justBefore(pets[0] as PetText)}`);

    for (const status of STATUSES) {
      it(`lists the animals that are ${status}, and no other`, async () => {
        const ids = pets.filter((pet) => pet.status === status).map(({ id }) => id);
        expect(ids).to.have.length(2);
        expect(await listed(`status=${status}`)).to.deep.equal(ids);
      });
    }

    it('lists animals of any status and of none if it is not given', async () => {
      expect(await listed('limit=100')).to.deep.equal(pets.map(({ id }) => id));
    });

    it('may be encoded', async () => {
      expect(await listed('st%61tus=%73old')).to.deep.equal(await listed('status=sold'));
      expect(await listed('status=%73old')).to.have.length(2);
    });

    it('can be combined with limit', async () => {
      expect(await listed('limit=1&status=pending')).to.deep.equal([pets[1]?.id]);
    });

    for (const value of REFUSED) {
      it(`refuses ?status=${value}`, async () => {
        const message = expectError(await get(service(), `/pets?status=${value}`), 400, 'invalid_parameter');
        expect(message).to.contain('status');
      });
    }

    for (const query of ['status', 'status=sold&status=sold', 'status=sold&status=pending', 'status=sold&statu%73=']) {
      it(`refuses ?${query}`, async () => {
        expect(expectError(await get(service(), `/pets?${query}`), 400, 'invalid_parameter')).to.contain('status');
      });
    }
  });
}
