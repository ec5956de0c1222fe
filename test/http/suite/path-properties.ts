import { expect } from 'chai';
import fc from 'fast-check';
import { expectErrorBody } from '../expectations.js';
import { get, request, type GetService } from '../service.js';

const PATH_CHARACTERS = fc.constantFrom(...Array.from('/.%2Fpetsv10-+;:@!$&\'()*,=~_|^`{}[]"<>\\'));
const segments = fc.string({ unit: PATH_CHARACTERS, minLength: 1, maxLength: 20 });

/** Whether a path stays unchanged in a URL. The Fetch API passes on no other path unchanged. */
function isNormal(path: string): boolean {
  return URL.canParse(`http://a${path}`) && new URL(`http://a${path}`).pathname === path;
}

/** Property-based tests of paths and keys. */
export function declarePathProperties(service: GetService, numRuns: number): void {
  it('answers any path 404 without a key if it is not under the base path, and 401 if it is', async () => {
    const property = fc.asyncProperty(segments, fc.boolean(), async (path, under) => {
      const { basePath, mountPath, keepsTargets } = service();
      fc.pre(keepsTargets || isNormal(`/${path}`));
      const target = `${under ? basePath : mountPath}/${path}`;
      const isUnder = target === basePath || target.startsWith(`${basePath}/`);
      const response = await request(service(), 'GET', target, { authorization: null });
      expect(expectErrorBody(response).code).to.equal(isUnder ? 'unauthorized' : 'route_not_found');
    });
    await fc.assert(property, { numRuns });
  });

  it('finds no animal by a segment that is no canonical id', async () => {
    const property = fc.asyncProperty(segments, async (segment) => {
      fc.pre(!/^[1-9]\d*$/.test(segment) && (service().keepsTargets || isNormal(`/${segment}`)));
      const { code } = expectErrorBody(await get(service(), `/pets/${segment}`));
      expect(code).to.equal(segment.includes('/') ? 'route_not_found' : 'pet_not_found');
    });
    await fc.assert(property, { numRuns });
  });

  it('takes no text for a key that is none', async () => {
    const values = fc.string({ unit: fc.constantFrom(...Array.from('Bearer  bearer:=,"\t\u00e9x')), maxLength: 40 });
    const property = fc.asyncProperty(values, async (authorization) => {
      expect(expectErrorBody(await get(service(), '/pets', { authorization })).code).to.equal('unauthorized');
    });
    await fc.assert(property, { numRuns });
  });
}
