import { expectError } from '../expectations.js';
import { type GetService, getBeside, request } from '../service.js';
import { UNDER_BASE_PATH } from './headers.js';

/** The tests of the order in which the service checks a request. */
export function declareOrderOfChecks(service: GetService): void {
  describe('order of checks', () => {
    for (const [what, [, method, path, options]] of Object.entries(UNDER_BASE_PATH)) {
      for (const [whose, authorization] of Object.entries({ 'no key': null, 'a wrong key': 'Bearer wrong-key' })) {
        it(`answers 401 to or for ${what} with ${whose}`, async () => {
          const answer = await request(service(), method, service().basePath + path, { ...options, authorization });
          expectError(answer, 401, 'unauthorized');
        });
      }
    }

    // The transports normalise none of these.
    for (const path of ['/pets', '/v1pets', '/V1/pets', '//v1/pets', '/%761/pets', '/v', '/x/v1/pets', '/./v1/pets']) {
      it(`answers 404, not 401, to ${path}, which is not under the base path`, async () => {
        expectError(await getBeside(service(), path), 404, 'route_not_found');
        const target = service().mountPath + path;
        expectError(await request(service(), 'POST', target, { body: '{}' }), 404, 'route_not_found');
      });
    }
  });
}
