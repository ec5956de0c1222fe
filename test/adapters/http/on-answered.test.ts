import { expect } from 'chai';
import type { AnsweredRequest } from '../../../src/adapters/http/run-handler.js';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';

describe('onAnswered of the HTTP interface', () => {
  async function answeredBy(method: string, path: string, init: RequestInit = {}): Promise<AnsweredRequest> {
    const answered: AnsweredRequest[] = [];
    const handle = createFetchHandler({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'anna', key: KEY }]),
      onAnswered: (each) => answered.push(each),
    });
    const headers = { authorization: `Bearer ${KEY}`, 'x-request-id': 'request-1', ...init.headers };
    await handle(new Request(`http://127.0.0.1${path}`, { method, ...init, headers }));
    expect(answered).to.have.lengthOf(1);
    return answered[0] as AnsweredRequest;
  }

  it('receives everything about a request', async () => {
    const start = performance.now();
    const { durationMs, ...others } = await answeredBy('GET', '/v1/pets?limit=7');
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
      keyName: 'anna',
    });
    expect(durationMs).to.be.greaterThan(0).and.at.most(elapsed);
  });

  it('receives the template of a route, not the path', async () => {
    expect(await answeredBy('GET', '/v1/pets/12')).to.include({ route: '/v1/pets/:petId', status: 404 });
  });

  it('receives the code of an error', async () => {
    expect(await answeredBy('GET', '/v1/pets?limit=0')).to.include({ status: 400, code: 'invalid_parameter' });
  });

  it('receives the limit that was exceeded', async () => {
    const init = { body: 'x'.repeat(65_537), headers: { 'content-type': 'application/json' } };
    expect(await answeredBy('POST', '/v1/pets', init)).to.include({ status: 413, limit: 'body' });
  });

  it('receives the size 0 for a HEAD', async () => {
    expect(await answeredBy('HEAD', '/v1/pets')).to.include({ method: 'HEAD', status: 200, bytes: 0 });
  });

  it('receives the size in bytes, not in characters', async () => {
    const { bytes } = await answeredBy('POST', '/v1/pets', {
      body: '{"name":"Ünal","categoryId":7}',
      headers: { 'content-type': 'application/json' },
    });
    expect(bytes).to.equal(Buffer.byteLength('{"id":1,"name":"Ünal","categoryId":7}'));
  });

  it('receives no route for an unknown path', async () => {
    expect(await answeredBy('GET', '/v1/pets/1/2')).to.include({ route: undefined, status: 404, keyName: 'anna' });
    expect(await answeredBy('GET', '/nowhere')).to.include({ route: undefined, status: 404, keyName: undefined });
  });

  it('receives no name for an invalid key', async () => {
    const init = { headers: { authorization: 'Bearer another key of sixteen' } };
    expect(await answeredBy('GET', '/v1/pets', init)).to.include({ status: 401, keyName: undefined });
  });

  it('is called for the paths outside the base path', async () => {
    expect(await answeredBy('GET', '/livez')).to.include({ route: '/livez', status: 200, keyName: undefined });
  });
});
