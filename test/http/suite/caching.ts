import { expect } from 'chai';
import { createPet } from '../expectations.js';
import { get, post, request, type GetService, type Service } from '../service.js';
import type { Answer } from '../../support/answer.js';

/** Answers under the base path, by what they are. */
const UNDER: Readonly<Record<string, (service: Service) => Promise<Answer>>> = {
  'a list': async (service) => get(service, '/pets'),
  'a created animal': async (service) => post(service, '{"name":"Rex","categoryId":7}'),
  'an animal': async (service) => get(service, `/pets/${(await createPet(service)).id}`),
  'a 400': async (service) => get(service, '/pets?limit=0'),
  'a 401': async (service) => get(service, '/pets', { authorization: null }),
  'a 404 of an animal': async (service) => get(service, '/pets/0'),
  'a 404 of a path': async (service) => get(service, '/nowhere'),
  'a 405': async (service) => request(service, 'DELETE', `${service.basePath}/pets`),
  'a 415': async (service) => post(service, '{}', { contentType: 'text/plain' }),
};

/** The tests of `Cache-Control`. */
export function declareCaching(service: GetService): void {
  describe('Cache-Control', () => {
    for (const [what, ask] of Object.entries(UNDER)) {
      it(`of ${what} is no-store`, async () => {
        expect((await ask(service())).header('Cache-Control')).to.equal('no-store');
      });
    }
  });
}
