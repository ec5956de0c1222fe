import { expect } from 'chai';
import { before, createPets, petOf, type PetText } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

/** The tests of what the published contract leaves open: the order of members, the addresses of links, the realm. */
export function declareResponseForms(service: GetService): void {
  describe('the form of a response', () => {
    for (const status of [',"status":"sold"', '']) {
      it(`to a creation has the members in order, and a path as Location: ${status}`, async () => {
        const response = await post(service(), `{"categoryId":7${status},"name":"Rex"}`);
        const { id } = petOf(response, 201);
        expect(response.text).to.equal(`{"id":${id},"name":"Rex","categoryId":7${status}}`);
        expect(response.header('Location')).to.equal(`${service().basePath}/pets/${id}`);
        expect((await get(service(), `/pets/${id}`)).text).to.equal(response.text);
        expect((await get(service(), `/pets?limit=1&after=${BigInt(id) - 1n}`)).text).to.equal(`[${response.text}]`);
      });
    }

    for (const [query, length, kept] of [
      ['x=1', 20, ''],
      ['limit=1&status=sold', 1, 'limit=1&status=sold&'],
      ['status=s%6Fld&limit=%31', 1, 'limit=1&status=sold&'],
      ['limit=20', 20, 'limit=20&'],
    ] as const) {
      it(`with more to come links to a path with only the parameters of its request: ${query}`, async () => {
        const pets = await createPets(service(), 21, '{"name":"Rex","categoryId":7,"status":"sold"}');
        const response = await get(service(), `/pets?${query}&after=${before(pets[0] as PetText)}`);
        const path = `${service().basePath}/pets?${kept}after=${pets[length - 1]?.id}`;
        expect(response.header('Link')).to.equal(`<${path}>; rel="next"`);
      });
    }

    for (const [authorization, challenge] of [
      [null, 'Bearer realm="animal-store"'],
      ['Bearer no-such-key-0123456789', 'Bearer realm="animal-store", error="invalid_token"'],
    ] as const) {
      it(`without a valid key has the challenge ${challenge}`, async () => {
        const response = await get(service(), '/pets', { authorization });
        expect(response.header('WWW-Authenticate')).to.equal(challenge);
      });
    }
  });
}
