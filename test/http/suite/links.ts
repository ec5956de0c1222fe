import { expect } from 'chai';
import { before as justBefore, createPets, petOf, type PetText } from '../expectations.js';
import { get, post, request, type GetService } from '../service.js';

/** The tests that the paths in header fields lead somewhere, wherever the interface is mounted. */
export function declareLinks(service: GetService): void {
  describe('paths in header fields', () => {
    it('lead from a new animal to it', async () => {
      const answer = await post(service(), '{"name":"Rex","categoryId":7}');
      const location = answer.header('Location') ?? '';
      expect(location).to.equal(`${service().basePath}/pets/${petOf(answer, 201).id}`);
      expect((await request(service(), 'GET', location)).text).to.equal(answer.text);
    });

    it('lead from a page to the next one', async () => {
      const pets = await createPets(service(), 3);
      const page = await get(service(), `/pets?limit=2&after=${justBefore(pets[0] as PetText)}`);
      const [, link = ''] = /^<([^>]+)>; rel="next"$/.exec(page.header('Link') ?? '') ?? [];
      expect(link.startsWith(`${service().basePath}/pets?`)).to.equal(true);
      expect(petOf(await request(service(), 'GET', link), 200)).to.deep.equal(pets[2]);
    });

    it('lead from a deprecated operation to its successor', async () => {
      const answer = await get(service(), '/pets/0');
      expect(answer.header('Link')).to.equal(`<${service().basePath}/pets>; rel="successor-version"`);
    });
  });
}
