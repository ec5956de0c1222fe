import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { type GetService, type RequestOptions, getBeside, request } from '../service.js';

const LONG = 'x'.repeat(65_537);

/** Requests that are invalid in themselves, below the base path. */
const FAULTY: Record<string, readonly [method: string, path: string, options?: RequestOptions]> = {
  'an unknown path': ['GET', '/nowhere'],
  'the base path itself': ['GET', ''],
  'the base path and a slash': ['GET', '/'],
  'a path in the wrong case': ['GET', '/Pets'],
  'an unknown path, to be written to': ['POST', '/nowhere', { body: '{}' }],
  'a method that the path does not have': ['DELETE', '/pets'],
  'a method that the animal does not have': ['PUT', '/pets/1', { body: '{}' }],
  OPTIONS: ['OPTIONS', '/pets'],
  'HEAD of an unknown path': ['HEAD', '/nowhere'],
  'an invalid parameter': ['GET', '/pets?limit=0'],
  'an identifier that is none': ['GET', '/pets/x'],
  'a missing body': ['POST', '/pets'],
  'an invalid body': ['POST', '/pets', { body: '{' }],
  'another media type': ['POST', '/pets', { body: 'x', contentType: 'text/plain' }],
  'an encoded body': ['POST', '/pets', { body: 'x', headers: [['Content-Encoding', 'gzip']] }],
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

    for (const path of ['/nowhere', '/pets', '/v1pets', '/V1/pets', '//v1/pets', '/%761/pets', '/v', '/livez/v1']) {
      it(`answers 404, not 401, to ${path}, which is not under the base path`, async () => {
        expectError(await getBeside(service(), path), 404, 'route_not_found');
        const target = service().mountPath + path;
        expectError(await request(service(), 'POST', target, { body: '{}' }), 404, 'route_not_found');
      });
    }

    it('answers 404, not 401, to a path that only begins as the base path does', async () => {
      const { basePath, mountPath } = service();
      const below = basePath.slice(mountPath.length);
      for (const path of [`${below}x/pets`, `${below}.`, `/x${below}/pets`]) {
        expectError(await getBeside(service(), path), 404, 'route_not_found');
      }
    });

    it('answers 404, not 401, to the base path in another form', async () => {
      const { basePath, mountPath, keepsTargets } = service();
      const below = basePath.slice(mountPath.length);
      const forms = [
        below.toUpperCase(),
        `/${below}`,
        below.replace('v', '%76'),
        ...(keepsTargets ? [`/.${below}`] : []),
      ];
      for (const path of forms) {
        expectError(await getBeside(service(), `${path}/pets`), 404, 'route_not_found');
      }
    });
  });
}
