import { expect } from 'chai';
import type { AnsweredRequest } from '../../../src/adapters/http/run-handler.js';
import { fetchInMemory, type Sent } from '../../support/in-memory-interface.js';

describe('onAnswered of the HTTP interface', () => {
  async function answeredBy(path: string, sent: Sent = {}): Promise<AnsweredRequest> {
    const answered: AnsweredRequest[] = [];
    const ask = fetchInMemory({ onAnswered: (each) => answered.push(each) });
    await ask(path, { headers: { 'x-request-id': 'request-1' }, ...sent });
    expect(answered).to.have.lengthOf(1);
    return answered[0] as AnsweredRequest;
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

  it('receives the template of a route, not the path', async () => {
    expect(await answeredBy('/v1/pets/12')).to.include({ route: '/v1/pets/:petId', status: 404 });
  });

  it('receives the code of an error', async () => {
    expect(await answeredBy('/v1/pets?limit=0')).to.include({ status: 400, code: 'invalid_parameter' });
  });

  it('receives the limit that was exceeded', async () => {
    expect(await answeredBy('/v1/pets', { body: 'x'.repeat(65_537) })).to.include({ status: 413, limit: 'body' });
  });

  it('receives the size 0 for a HEAD', async () => {
    expect(await answeredBy('/v1/pets', { method: 'HEAD' })).to.include({ method: 'HEAD', status: 200, bytes: 0 });
  });

  it('receives the size in bytes, not in characters', async () => {
    const { bytes } = await answeredBy('/v1/pets', { body: '{"name":"Ünal","categoryId":7}' });
    expect(bytes).to.equal(Buffer.byteLength('{"id":1,"name":"Ünal","categoryId":7}'));
  });

  it('receives no route for an unknown path', async () => {
    expect(await answeredBy('/v1/pets/1/2')).to.include({ route: undefined, status: 404, keyName: 'me' });
    expect(await answeredBy('/nowhere')).to.include({ route: undefined, status: 404, keyName: undefined });
  });

  it('receives no name for an invalid key', async () => {
    expect(await answeredBy('/v1/pets', { key: 'another key of sixteen' })).to.include({
      status: 401,
      keyName: undefined,
    });
  });

  it('is called for the paths outside the base path', async () => {
    expect(await answeredBy('/livez')).to.include({ route: '/livez', status: 200, keyName: undefined });
  });
});
