import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { createPets, before as justBefore, type PetText } from '../expectations.js';
import { request, type GetService } from '../service.js';

/** The tests of HEAD: as GET, without the body. */
export function declareHead(service: GetService): void {
  describe('HEAD', () => {
    let targets: Record<string, string>;
    before(async () => {
      const { basePath, mountPath } = service();
      const [first] = await createPets(service(), 3);
      const after = justBefore(first as PetText);
      targets = {
        'a list': `${basePath}/pets?after=${after}`,
        'a list that goes on': `${basePath}/pets?limit=2&after=${after}`,
        'an empty list': `${basePath}/pets?after=9223372036854775807`,
        'an animal': `${basePath}/pets/${first?.id}`,
        'an animal that is not there': `${basePath}/pets/0`,
        'an invalid parameter': `${basePath}/pets?limit=0`,
        'an unknown path': `${basePath}/nowhere`,
        'an unknown path beside the base path': `${mountPath}/nowhere`,
        liveness: `${mountPath}/livez`,
        readiness: `${mountPath}/readyz`,
        'the OpenAPI document': `${mountPath}/openapi.json`,
        'the reference': `${mountPath}/docs`,
      };
    });
    const comparable = ({ status, headers }: Answer): unknown => ({
      status,
      headers: headers
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => name !== 'date' && name !== 'x-request-id')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    });

    for (const what of [
      'a list',
      'a list that goes on',
      'an empty list',
      'an animal',
      'an animal that is not there',
      'an invalid parameter',
      'an unknown path',
      'an unknown path beside the base path',
      'liveness',
      'readiness',
      'the OpenAPI document',
      'the reference',
    ]) {
      it(`answers for ${what} as GET does, Content-Length included, without the body`, async () => {
        const target = targets[what] ?? '';
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
