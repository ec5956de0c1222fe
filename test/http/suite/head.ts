import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { createPets, before as justBefore, type PetText } from '../expectations.js';
import { request, type GetService, type Service } from '../service.js';

/** The tests of HEAD: as GET, without the body. */
export function declareHead(service: GetService): void {
  describe('HEAD', () => {
    let first: PetText;
    before(async () => {
      [first] = (await createPets(service(), 3)) as [PetText, ...PetText[]];
    });
    const comparable = ({ status, headers }: Answer): unknown => ({
      status,
      headers: headers
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => name !== 'date' && name !== 'x-request-id')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    });

    const TARGETS: Record<string, (service: Service) => string> = {
      'a list': ({ basePath }) => `${basePath}/pets?after=${justBefore(first)}`,
      'a list that goes on': ({ basePath }) => `${basePath}/pets?limit=2&after=${justBefore(first)}`,
      'an empty list': ({ basePath }) => `${basePath}/pets?after=9223372036854775807`,
      'an animal': ({ basePath }) => `${basePath}/pets/${first.id}`,
      'an animal that is not there': ({ basePath }) => `${basePath}/pets/0`,
      'an invalid parameter': ({ basePath }) => `${basePath}/pets?limit=0`,
      'an unknown path': ({ basePath }) => `${basePath}/nowhere`,
      'an unknown path beside the base path': ({ mountPath }) => `${mountPath}/nowhere`,
      liveness: ({ mountPath }) => `${mountPath}/livez`,
      readiness: ({ mountPath }) => `${mountPath}/readyz`,
      'the OpenAPI document': ({ mountPath }) => `${mountPath}/openapi.json`,
      'the reference': ({ mountPath }) => `${mountPath}/docs`,
    };
    for (const [what, targetOf] of Object.entries(TARGETS)) {
      it(`answers for ${what} as GET does, Content-Length included, without the body`, async () => {
        const target = targetOf(service());
        const [head, full] = [await request(service(), 'HEAD', target), await request(service(), 'GET', target)];
        expect(comparable(head)).to.deep.equal(comparable(full));
        expect(head.header('Content-Length')).to.equal(String(full.body.length));
      });
    }

    it('answers 401 without a key as GET does', async () => {
      const target = `${service().basePath}/pets`;
      const head = await request(service(), 'HEAD', target, { authorization: null });
      expect(head.status).to.equal(401);
      expect(comparable(head)).to.deep.equal(
        comparable(await request(service(), 'GET', target, { authorization: null })),
      );
    });
  });
}
