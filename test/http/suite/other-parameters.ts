import { expect } from 'chai';
import { before as justBefore, createPets, expectError, listedIds, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';

const IGNORED = [
  'x=1&x=2',
  '__proto__=1&__proto__=2',
  'constructor=1&constructor=2&toString=3',
  'limit[]=1',
  'LIMIT=0&Status=lost',
  'after%20=x',
  '%20limit=0',
  '%FF=%FF',
  'x=%00',
  '=0',
  '&=&==&',
  'x;limit=0',
  'x=?limit=0',
];

/** The tests of parameters that the service does not have, and of queries as a whole. */
export function declareOtherParameters(service: GetService): void {
  describe('other parameters', () => {
    let pets: PetText[];
    before(async () => {
      pets = await createPets(service(), 4);
    });
    const listed = async (query: string): Promise<string[]> => listedIds(service(), query);
    const ownQuery = (): string => `limit=3&after=${justBefore(pets[0] as PetText)}`;
    const firstThree = (): string[] => pets.slice(0, 3).map(({ id }) => id);

    for (const query of IGNORED) {
      it(`ignores ?${query}`, async () => {
        expect(await listed(`${query}&${ownQuery()}`), 'before the known ones').to.deep.equal(firstThree());
        expect(await listed(`${ownQuery()}&${query}`), 'after the known ones').to.deep.equal(firstThree());
      });
    }

    it('treats an empty query like no query', async () => {
      expect((await get(service(), '/pets?')).status).to.equal(200);
    });

    it('answers 15 KB of parameters by the known ones among them', async () => {
      const many = Array.from({ length: 945 }, (_, i) => `p${1000 + i}=__proto__`).join('&');
      expect(many.length).to.be.greaterThan(15_000);
      expect(await listed(`${many}&${ownQuery()}`)).to.deep.equal(firstThree());
    });

    it('answers 15 KB of the same parameter by the known ones among them', async () => {
      expect(await listed(`${ownQuery()}&${'__proto__=1&'.repeat(1250)}`)).to.deep.equal(firstThree());
      expect(await listed(`${'&'.repeat(15_000)}${ownQuery()}`)).to.deep.equal(firstThree());
    });

    it('finds a second limit at the end of 15 KB', async () => {
      const answer = await get(service(), `/pets?limit=1&${'x=1&'.repeat(3750)}limit=1`);
      expectError(answer, 400, 'invalid_parameter');
    });

    it('does not repeat them in the link to the next page', async () => {
      const answer = await get(service(), `/pets?x=1&${ownQuery()}&y=2`);
      expect(answer.header('Link')).to.match(/\?limit=3&after=\d+>/);
    });
  });
}
