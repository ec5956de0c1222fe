import { expect } from 'chai';
import fc from 'fast-check';
import { expectErrorBody } from '../expectations.js';
import { get, request, type GetService } from '../service.js';

const PATH_CHARACTERS = fc.constantFrom(...Array.from('/.%2Fpetsv10-+;:@!$&\'()*,=~_|^`{}[]"<>\\'));

/** Whether a path stays unchanged in a URL. The Fetch API passes on no other path unchanged. */
function isNormal(path: string): boolean {
  return URL.canParse(`http://a${path}`) && new URL(`http://a${path}`).pathname === path;
}

/** Property-based tests of paths and header fields. */
export function declarePathProperties(service: GetService, numRuns: number): void {
  describe('any path', () => {
    it('is answered 404 without a key if it is not under the base path, and 401 if it is', async () => {
      const paths = fc.string({ unit: PATH_CHARACTERS, minLength: 1, maxLength: 20 }).map((rest) => `/${rest}`);
      await fc.assert(
        fc.asyncProperty(paths, fc.boolean(), async (path, under) => {
          const { basePath, mountPath, keepsTargets } = service();
          fc.pre(keepsTargets || isNormal(path));
          const target = (under ? basePath : mountPath) + path;
          const isUnder = target === basePath || target.startsWith(`${basePath}/`);
          const answer = await request(service(), 'GET', target, { authorization: null });
          expect(expectErrorBody(answer).code).to.equal(isUnder ? 'unauthorized' : 'route_not_found');
        }),
        { numRuns },
      );
    });

    it('names no animal if it does not end with a canonical id', async () => {
      const segments = fc.string({ unit: PATH_CHARACTERS, minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(
          segments.filter((segment) => !/^[1-9]\d*$/.test(segment)),
          async (segment) => {
            fc.pre(service().keepsTargets || isNormal(`/${segment}`));
            const { code } = expectErrorBody(await get(service(), `/pets/${segment}`));
            expect(code).to.equal(segment.includes('/') ? 'route_not_found' : 'pet_not_found');
          },
        ),
        { numRuns },
      );
    });
  });

  describe('any value of a header', () => {
    it('is not a key', async () => {
      const values = fc.string({ unit: fc.constantFrom(...Array.from('Bearer  bearer:=,"\t\u00e9x')), maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(values, async (authorization) => {
          const answer = await get(service(), '/pets', { authorization });
          expect(expectErrorBody(answer).code).to.equal('unauthorized');
        }),
        { numRuns },
      );
    });
  });
}
