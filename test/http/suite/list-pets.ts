import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { before as justBefore, createPet, createPets, petOf, petsOf, type PetText } from '../expectations.js';
import { get, request, type GetService } from '../service.js';

/** The tests of the contents of a list and of the link to the next page. */
export function declareListPets(service: GetService): void {
  describe('listPets', () => {
    const pets: PetText[] = [];
    let after: string;
    before(async () => {
      // The suite may run several times in one process.
      pets.length = 0;
      for (const status of ['sold', undefined, 'sold', 'pending', 'sold', 'available', 'sold']) {
        pets.push(await createPet(service(), JSON.stringify({ name: 'Tom', categoryId: 1, status })));
      }
      pets.push(...(await createPets(service(), 23)));
      after = justBefore(pets[0] as PetText);
    });
    const list = async (query: string): Promise<Answer> => get(service(), `/pets?${query}`);
    const linkTo = (query: string): string => `<${service().basePath}/pets?${query}>; rel="next"`;

    it('answers a bare array of animals in ascending order of their ids', async () => {
      const answer = await list(`limit=30&after=${after}`);
      expect(answer.text).to.match(/^\[\{.*\}\]$/);
      expect(petsOf(answer.text)).to.deep.equal(pets);
    });

    it('returns each animal as getPet does', async () => {
      const { text } = await list(`limit=2&after=${after}`);
      const each = await Promise.all(pets.slice(0, 2).map(async ({ id }) => get(service(), `/pets/${id}`)));
      expect(text).to.equal(`[${each.map((answer) => answer.text).join(',')}]`);
    });

    it('shows a new animal immediately', async () => {
      const pet = await createPet(service(), '{"name":"Kim","categoryId":-1,"status":"sold"}');
      expect(petOf(await list(`after=${justBefore(pet)}`), 200)).to.deep.equal(pet);
    });

    describe('the link to the next page', () => {
      for (const [what, query, kept, last] of [
        ['repeats limit and status if the request has both', 'limit=2&status=sold', 'limit=2&status=sold&', 2],
        ['repeats them in its own order, decoded', 'status=s%6Fld&limit=%32', 'limit=2&status=sold&', 2],
        ['has no limit if the request has none', 'x=1', '', 19],
        ['has a limit of 20 if the request has it', 'limit=20', 'limit=20&', 19],
        ['has no status if the request has none', 'limit=3', 'limit=3&', 2],
      ] as const) {
        it(what, async () => {
          const answer = await list(`${query}&after=${after}`);
          expect(answer.header('Link')).to.equal(linkTo(`${kept}after=${pets[last]?.id}`));
        });
      }

      it('has only status and after if the request has only these', async () => {
        const many = await createPets(service(), 21, '{"name":"Rex","categoryId":7,"status":"pending"}');
        const answer = await list(`status=pending&after=${justBefore(many[0] as PetText)}`);
        expect(answer.header('Link')).to.equal(linkTo(`status=pending&after=${many[19]?.id}`));
      });

      it('is there if the request has no query', async () => {
        const answer = await get(service(), '/pets');
        const last = petsOf(answer.text).at(-1);
        expect(answer.header('Link')).to.equal(linkTo(`after=${last?.id}`));
      });

      it('is missing from a last page that is not full', async () => {
        const kim = await createPet(service());
        expect((await list(`limit=2&after=${justBefore(kim)}`)).header('Link')).to.equal(undefined);
      });

      it('is missing from a last page that is just full', async () => {
        const [kim] = await createPets(service(), 2);
        expect((await list(`limit=2&after=${justBefore(kim as PetText)}`)).header('Link')).to.equal(undefined);
      });

      it('is missing from a last page of a status, whatever other animals follow', async () => {
        const sold = await createPet(service(), '{"name":"Rex","categoryId":7,"status":"sold"}');
        await createPets(service(), 2);
        expect((await list(`limit=1&status=sold&after=${justBefore(sold)}`)).header('Link')).to.equal(undefined);
      });

      it('is missing from an empty page', async () => {
        expect((await list('after=9223372036854775807')).header('Link')).to.equal(undefined);
      });

      it('leads through every animal, once each, to the end', async () => {
        const ids: string[] = [];
        let next: string | undefined = `${service().basePath}/pets?limit=7&after=${after}`;
        while (next !== undefined) {
          const answer: Answer = await request(service(), 'GET', next);
          ids.push(...petsOf(answer.text).map(({ id }) => id));
          next = /^<([^>]+)>; rel="next"$/.exec(answer.header('Link') ?? '')?.[1];
        }
        expect(ids.slice(0, 30)).to.deep.equal(pets.map(({ id }) => id));
        expect(new Set(ids).size).to.equal(ids.length);
      });
    });
  });
}
