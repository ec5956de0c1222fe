import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { get, getBeside, request, type GetService } from '../service.js';

const PATHS = ['/livez', '/readyz', '/openapi.json', '/docs'] as const;

/** The tests that a transport answers outside the base path, wherever the interface is mounted. */
export function declareBeside(service: GetService): void {
  describe('outside the base path', () => {
    it('answers /docs with an HTML page, not to be sniffed', async () => {
      const answer = await getBeside(service(), '/docs');
      expect(answer.status).to.equal(200);
      expect(answer.header('Content-Type')).to.equal('text/html; charset=utf-8');
      expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      expect(answer.header('X-Request-Id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
    });

    for (const path of ['/', '/docs/']) {
      it(`redirects ${path} to /docs`, async () => {
        const answer = await getBeside(service(), path);
        expect(answer.status).to.equal(302);
        expect(answer.header('Location')).to.equal(`${service().mountPath}/docs`);
        expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      });
    }

    it('redirects the path that it is mounted at to /docs', async () => {
      const { mountPath } = service();
      const answer = await request(service(), 'GET', mountPath || '/', { authorization: null });
      expect(answer.status).to.equal(302);
      expect(answer.header('Location')).to.equal(`${mountPath}/docs`);
    });
  });
}

/** The tests of the paths outside the base path. */
export function declareOutside(service: GetService): void {
  describe('the paths outside the base path', () => {
    for (const path of PATHS) {
      describe(path, () => {
        it('answers 200 whatever the key and the query', async () => {
          const answer = await getBeside(service(), `${path}?limit=0&x=%zz`, { authorization: 'Bearer wrong' });
          expect(answer.status).to.equal(200);
        });

        it('answers 405 to POST', async () => {
          const answer = await request(service(), 'POST', service().mountPath + path, { authorization: null });
          expectError(answer, 405, 'method_not_allowed');
          expect(answer.header('Allow')?.split(', ')).to.have.members(['GET', 'HEAD']);
        });

        it('is exact and case-sensitive', async () => {
          const dotted = service().keepsTargets ? [`/.${path}`] : [];
          const slash = path === '/docs' ? [] : [`${path}/`];
          for (const other of [path.toUpperCase(), `${path}x`, `/${path}`, path.slice(0, -1), ...slash, ...dotted]) {
            expectError(await getBeside(service(), other), 404, 'route_not_found');
          }
        });

        it('is not under the base path', async () => {
          expectError(await get(service(), path), 404, 'route_not_found');
          expectError(await get(service(), path, { authorization: null }), 401, 'unauthorized');
        });
      });
    }
  });
}
