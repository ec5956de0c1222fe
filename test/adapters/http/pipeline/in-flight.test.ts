import { expect } from 'chai';
import type { ResponseLog } from '../../../../src/adapters/http/pipeline/response-log.js';
import { fetchInMemory, inMemory, REX, SILENT } from '../../../support/in-memory-interface.js';
import { until } from '../../../support/until.js';
import { HeldCatalogue } from '../held-catalogue.js';

/** Lets everything happen that is ready to. */
const turn = async (): Promise<void> => new Promise(setImmediate);

describe('a limit to the requests in flight', () => {
  let catalogue: HeldCatalogue;
  let reported: ResponseLog[];
  let logged: object[];
  let send: ReturnType<typeof fetchInMemory>;

  beforeEach(() => {
    catalogue = new HeldCatalogue();
    reported = [];
    logged = [];
    const note = (fields: object): unknown => logged.push(fields);
    const onResponse = (each: ResponseLog): unknown => reported.push(each);
    send = fetchInMemory({ catalogue, maxInFlight: 2, log: { warn: note, error: note }, onResponse });
  });

  describe('while as many are in flight as it allows', () => {
    let both: Promise<Response[]>;

    beforeEach(async () => {
      both = Promise.all([send('/v1/pets'), send('/v1/pets')]);
      await until(() => catalogue.calls === 2);
    });

    it('answers another request with 503 overloaded and Retry-After, without asking the store or logging an error', async () => {
      const response = await send('/v1/pets');
      expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([503, '1']);
      expect(await response.json()).to.have.property('code', 'overloaded');
      expect(catalogue.calls).to.equal(2);
      expect(reported.map(({ limit }) => limit)).to.deep.equal(['in_flight']);
      expect(logged).to.deep.equal([]);
    });

    it('still refuses an invalid key and a body that is too large, and exempts the paths outside the base path', async () => {
      expect((await send('/v1/pets', { key: 'another key of sixteen' })).status).to.equal(401);
      expect((await send('/v1/pets', { body: ' '.repeat(65_537) })).status).to.equal(413);
      for (const path of ['/livez', '/readyz', '/openapi.json']) expect((await send(path)).status, path).to.equal(200);
    });

    it('answers those in flight, and then others again, also with the Idempotency-Key of a creation that was refused', async () => {
      const create = async (): Promise<Response> =>
        send('/v1/pets', { body: REX, headers: { 'idempotency-key': 'a' } });
      expect((await create()).status).to.equal(503);
      catalogue.release();
      expect((await both).map(({ status }) => status)).to.deep.equal([200, 200]);
      const created = await create();
      expect([created.status, created.headers.get('Idempotency-Replayed')]).to.deep.equal([201, null]);
    });
  });

  it('counts a failed request as ended, also one whose call throws immediately', async () => {
    const { store } = inMemory();
    store.listPets = () => {
      throw new Error('broken');
    };
    const ask = fetchInMemory({ store, maxInFlight: 2, log: SILENT });
    for (let i = 0; i < 4; i++) expect((await ask('/v1/pets')).status).to.equal(500);
    for (let i = 0; i < 4; i++) expect((await ask('/v1/pets/1')).status).to.equal(404);
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
});
