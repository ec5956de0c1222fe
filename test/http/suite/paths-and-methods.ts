import { expect } from 'chai';
import { createPet, expectError, type PetText } from '../expectations.js';
import { get, request, type GetService } from '../service.js';

const UNKNOWN = ['/pets/', '/Pets', '/pets/1/', '/pets//1', '//pets', '/%70ets', '/pets%2F1', '/', '', '/__proto__'];

/** The tests of the paths that there are. */
export function declarePaths(service: GetService): void {
  describe('paths', () => {
    for (const path of UNKNOWN) {
      it(`does not know ${path === '' ? 'the bare base path' : path}`, async () => {
        expectError(await get(service(), path), 404, 'route_not_found');
        expectError(await get(service(), `${path}?limit=1`), 404, 'route_not_found');
      });
    }

    it('does not know an unknown path for any method', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        expectError(await request(service(), method, `${service().basePath}/nowhere`), 404, 'route_not_found');
      }
    });
  });
}

/** The tests of the methods of each path. */
export function declareMethods(service: GetService): void {
  describe('methods', () => {
    let pet: PetText;
    before(async () => {
      pet = await createPet(service());
    });

    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      it(`answers 405 to ${method} of the collection, with the methods that it has`, async () => {
        const answer = await request(service(), method, `${service().basePath}/pets?limit=0`);
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.header('Allow')?.split(', ')).to.have.members(['GET', 'HEAD', 'POST']);
      });
    }

    for (const method of ['POST', 'DELETE']) {
      it(`answers 405 to ${method} of an animal, with the methods that it has`, async () => {
        const body = '{"name":"Rex","categoryId":7}';
        const answer = await request(service(), method, `${service().basePath}/pets/${pet.id}`, { body });
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.header('Allow')?.split(', ')).to.have.members(['GET', 'HEAD']);
      });
    }

    it('answers 405 whatever the body', async () => {
      const answer = await request(service(), 'PUT', `${service().basePath}/pets`, {
        body: 'x'.repeat(70_000),
        contentType: 'text/plain',
      });
      expectError(answer, 405, 'method_not_allowed');
    });

    it('ignores a header that asks for another method', async () => {
      const headers = [['X-HTTP-Method-Override', 'DELETE']] as const;
      expect((await get(service(), `/pets/${pet.id}`, { headers })).status).to.equal(200);
    });
  });
}
