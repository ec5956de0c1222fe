import { expect } from 'chai';
import type { ResponseLog } from '../../../src/adapters/http/run-handler.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { fetchInMemory, inMemory, REX, SILENT } from '../../support/in-memory-interface.js';
import { HeldCatalogue } from './held-catalogue.js';

/** Lets everything happen that is ready to. */
const turn = async (): Promise<void> => new Promise(setImmediate);

describe('a limit to the requests in flight', () => {
  let catalogue: HeldCatalogue;
  let answered: ResponseLog[];
  let logged: object[];
  let send: ReturnType<typeof fetchInMemory>;

  beforeEach(() => {
    catalogue = new HeldCatalogue();
    answered = [];
    logged = [];
    send = fetchInMemory({
      catalogue,
      maxInFlight: 2,
      log: { warn: (fields) => logged.push(fields), error: (fields) => logged.push(fields) },
      onResponse: (each) => answered.push(each),
    });
  });

  describe('while as many wait as it allows', () => {
    let both: Promise<Response[]>;

    beforeEach(async () => {
      both = Promise.all([send('/v1/pets'), send('/v1/pets')]);
      while (catalogue.calls < 2) await turn();
    });

    it('answers another request with 503 overloaded and Retry-After, without asking the store', async () => {
      const answer = await send('/v1/pets');
      expect([answer.status, answer.headers.get('Retry-After')]).to.deep.equal([503, '1']);
      expect(await answer.json()).to.have.property('code', 'overloaded');
      expect(catalogue.calls).to.equal(2);
    });

    it('reports the limit to onResponse, and no error to the log', async () => {
      await send('/v1/pets');
      expect(answered.map(({ limit }) => limit)).to.deep.equal(['in_flight']);
      expect(logged).to.deep.equal([]);
    });

    it('also refuses a request whose key only the store can verify', async () => {
      expect((await send('/v1/pets', { key: 'another key of sixteen' })).status).to.equal(503);
    });

    it('answers those that wait, and then others again', async () => {
      await send('/v1/pets');
      catalogue.release();
      expect((await both).map(({ status }) => status)).to.deep.equal([200, 200]);
      expect((await send('/v1/pets')).status).to.equal(200);
    });

    it('exempts the paths outside the base path', async () => {
      for (const path of ['/livez', '/readyz', '/openapi.json']) expect((await send(path)).status, path).to.equal(200);
    });
  });

  it('counts creations with an Idempotency-Key, and uses up no key of one that it refuses', async () => {
    const create = async (key: string): Promise<Response> =>
      send('/v1/pets', { body: REX, headers: { 'idempotency-key': key } });
    const both = [create('a'), create('b')];
    while (catalogue.calls < 2) await turn();
    expect((await create('c')).status).to.equal(503);
    catalogue.release();
    expect((await Promise.all(both)).map(({ status }) => status)).to.deep.equal([201, 201]);
    const answer = await create('c');
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, null]);
  });

  it('counts a failed request as ended', async () => {
    catalogue.release();
    for (let i = 0; i < 4; i++) expect((await send('/v1/pets/1')).status).to.equal(404);
  });

  it('counts a call that throws immediately as ended', async () => {
    const broken = new InMemoryApiKeys([]);
    broken.verify = () => {
      throw new Error('broken');
    };
    const ask = fetchInMemory({ apiKeys: broken, maxInFlight: 2, log: SILENT });
    for (let i = 0; i < 4; i++) expect((await ask('/v1/pets')).status).to.equal(500);
  });

  it('does not count a request whose body is still arriving', async () => {
    const slow: Promise<Response>[] = [];
    const writers: WritableStreamDefaultWriter<Uint8Array>[] = [];
    while (slow.length < 3) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      writers.push(writable.getWriter());
      slow.push(send('/v1/pets', { body: readable }));
      await turn();
    }
    catalogue.release();
    expect((await send('/v1/pets/1')).status).to.equal(404);
    for (const [i, writer] of writers.entries()) {
      await writer.write(new TextEncoder().encode(REX));
      await writer.close();
      expect((await slow[i])?.status).to.equal(201);
    }
  });

  for (const maxInFlight of [0, -1, 1.5, Number.NaN]) {
    it(`cannot be ${maxInFlight}`, () => {
      expect(() => fetchInMemory({ maxInFlight })).to.throw(TypeError, 'maxInFlight must be a positive integer');
    });
  }

  it('calls the method that the store has at the time of each request, such as one that a test has replaced', async () => {
    const { store } = inMemory();
    const ask = fetchInMemory({ store, maxInFlight: 2 });
    store.createPetOnce = async () => ({ pet: { id: 99n, name: 'Tom', categoryId: 7n }, replayed: false });
    const answer = await ask('/v1/pets', { body: REX, headers: { 'idempotency-key': 'mine' } });
    expect(await answer.json()).to.deep.equal({ id: 99, name: 'Tom', categoryId: 7 });
  });
});
