import { expect } from 'chai';
import type { ResponseLog } from '../../../../src/adapters/http/pipeline/response-log.js';
import { fetchInMemory, type Sent } from '../../../support/in-memory-interface.js';

describe('onResponse of the HTTP interface', () => {
  async function answeredBy(path: string, sent: Sent = {}): Promise<ResponseLog> {
    const answered: ResponseLog[] = [];
    const ask = fetchInMemory({ onResponse: (each) => answered.push(each) });
    await ask(path, { headers: { 'x-request-id': 'request-1' }, ...sent });
    expect(answered).to.have.lengthOf(1);
    return answered[0] as ResponseLog;
  }

  it('receives everything about a request', async () => {
    const start = performance.now();
    const { durationMs, ...others } = await answeredBy('/v1/pets?limit=7');
    const elapsed = performance.now() - start;
    expect(others).to.deep.equal({
      requestId: 'request-1',
      method: 'GET',
      route: '/v1/pets',
      status: 200,
      code: undefined,
      limit: undefined,
      bytes: 2,
      clientAddress: undefined,
      keyName: 'me',
    });
    expect(durationMs).to.be.greaterThan(0).and.at.most(elapsed);
  });

  for (const [what, path, sent, expected] of [
    ['the template of a route, not the path', '/v1/pets/12', {}, { route: '/v1/pets/:petId', status: 404 }],
    ['the code of an error', '/v1/pets?limit=0', {}, { status: 400, code: 'invalid_parameter' }],
    ['the limit that was exceeded', '/v1/pets', { body: 'x'.repeat(65_537) }, { status: 413, limit: 'body' }],
    ['the size 0 for a HEAD', '/v1/pets', { method: 'HEAD' }, { method: 'HEAD', status: 200, bytes: 0 }],
    ['the size in bytes, not in characters', '/v1/pets', { body: '{"name":"Ünal","categoryId":7}' }, { bytes: 38 }],
    ['no route for an unknown path', '/v1/pets/1/2', {}, { route: undefined, status: 404, keyName: 'me' }],
    ['no route outside the base path', '/nowhere', {}, { route: undefined, status: 404, keyName: undefined }],
    ['no name for an invalid key', '/v1/pets', { key: 'another key of sixteen' }, { status: 401, keyName: undefined }],
    ['a request outside the base path', '/livez', {}, { route: '/livez', status: 200, keyName: undefined }],
  ] as readonly (readonly [what: string, path: string, sent: Sent, expected: object])[]) {
    it(`receives ${what}`, async () => {
      expect(await answeredBy(path, sent)).to.include(expected);
    });
  }
});
