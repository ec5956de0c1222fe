import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { type GetService, type RequestOptions, getBeside, request } from '../service.js';

const LONG = 'x'.repeat(65_537);

/** Requests that are invalid in themselves, below the base path. */
const FAULTY: Record<string, readonly [method: string, path: string, options?: RequestOptions]> = {
  'an unknown path': ['GET', '/nowhere'],
  'the base path itself': ['GET', ''],
  'a path in the wrong case': ['GET', '/Pets'],
  'a method that the path does not have': ['DELETE', '/pets'],
  OPTIONS: ['OPTIONS', '/pets'],
  'HEAD of an unknown path': ['HEAD', '/nowhere'],
  'an invalid parameter': ['GET', '/pets?limit=0'],
  'an identifier that is none': ['GET', '/pets/x'],
  'a missing body': ['POST', '/pets'],
  'an invalid body': ['POST', '/pets', { body: '{' }],
  'another media type': ['POST', '/pets', { body: 'x', contentType: 'text/plain' }],
};

/** The tests that a transport does not read a body before the key is checked. */
export function declareKeyBeforeBody(service: GetService): void {
  describe('a body that is too large', () => {
    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      it(`is answered 401 without a key: ${how}`, async () => {
        const options = { body: LONG, chunked, authorization: null };
        expectError(await request(service(), 'POST', `${service().basePath}/pets`, options), 401, 'unauthorized');
      });
    }
  });
}

/** The tests of the order in which the service checks a request. */
export function declareOrderOfChecks(service: GetService): void {
  describe('order of checks', () => {
    for (const [what, [method, path, options]] of Object.entries(FAULTY)) {
      for (const [whose, authorization] of Object.entries({ 'no key': null, 'a wrong key': 'Bearer wrong-key' })) {
        it(`answers 401 to ${what} with ${whose}`, async () => {
          const answer = await request(service(), method, service().basePath + path, { ...options, authorization });
          if (method === 'HEAD') expect(answer.status).to.equal(401);
          else expectError(answer, 401, 'unauthorized');
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
