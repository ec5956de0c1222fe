import { expect } from 'chai';
import type { AnsweredRequest } from '../../../src/adapters/http/run-handler.js';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import type { PetPage, PetQuery } from '../../../src/domain/pet-catalogue.js';

const KEY = 'a key of sixteen.';
const POST_HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** Lets everything happen that is ready to. */
const turn = async (): Promise<void> => new Promise(setImmediate);

/** A catalogue whose lists wait until it is opened. */
class ClosedCatalogue extends InMemoryPetCatalogue {
  readonly #opened: Promise<void>;
  open!: () => void;
  waiting = 0;

  constructor() {
    super();
    this.#opened = new Promise((resolve) => (this.open = resolve));
  }

  override async list(query: PetQuery): Promise<PetPage> {
    this.waiting++;
    await this.#opened;
    return super.list(query);
  }
}

describe('a limit to the requests in flight', () => {
  let catalogue: ClosedCatalogue;
  let answered: AnsweredRequest[];
  let logged: object[];
  let handle: (request: Request) => Promise<Response>;

  beforeEach(() => {
    catalogue = new ClosedCatalogue();
    answered = [];
    logged = [];
    handle = createFetchHandler({
      store: createAnimalStore({ catalogue }),
      apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
      maxInFlight: 2,
      log: { warn: (fields) => logged.push(fields), error: (fields) => logged.push(fields) },
      onAnswered: (each) => answered.push(each),
    });
  });

  const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
    handle(new Request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${KEY}` }, ...init }));

  /** Sends two lists, which wait for the catalogue. Resolves once they do; their answers come with `both`. */
  async function fill(): Promise<{ both: Promise<Response[]> }> {
    const both = Promise.all([send('/v1/pets'), send('/v1/pets')]);
    while (catalogue.waiting < 2) await turn();
    return { both };
  }

  it('is not an error in the log', async () => {
    await fill();
    expect((await send('/v1/pets')).status).to.equal(503);
    expect(logged).to.deep.equal([]);
  });

  it('answers another request with 503 overloaded and Retry-After', async () => {
    await fill();
    const answer = await send('/v1/pets');
    expect([answer.status, answer.headers.get('Retry-After')]).to.deep.equal([503, '1']);
    expect(await answer.json()).to.deep.equal({
      code: 'overloaded',
      message: 'too many requests are in flight; try again later',
      status: 503,
    });
  });

  it('is reported to onAnswered as the limit that was exceeded', async () => {
    await fill();
    await send('/v1/pets');
    expect(answered.map(({ limit }) => limit)).to.deep.equal(['in_flight']);
  });

  it('does not ask the store for a request that it refuses', async () => {
    await fill();
    await send('/v1/pets');
    expect(catalogue.waiting).to.equal(2);
  });

  it('also refuses a request whose key only the store can verify', async () => {
    await fill();
    const answer = await send('/v1/pets', { headers: { authorization: 'Bearer another key of sixteen' } });
    expect(answer.status).to.equal(503);
  });

  it('answers the requests that were in flight', async () => {
    const { both } = await fill();
    await send('/v1/pets');
    catalogue.open();
    expect((await both).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('answers again once requests in flight have ended', async () => {
    const { both } = await fill();
    catalogue.open();
    await both;
    expect((await send('/v1/pets')).status).to.equal(200);
  });

  it('counts a failed request as ended', async () => {
    for (let i = 0; i < 4; i++) expect((await send('/v1/pets/1')).status).to.equal(404);
  });

  it('counts a call that throws immediately as ended', async () => {
    const broken = new InMemoryApiKeys([]);
    broken.verify = () => {
      throw new Error('broken');
    };
    const log = { warn: () => undefined, error: () => undefined };
    handle = createFetchHandler({ store: createAnimalStore({ catalogue }), apiKeys: broken, maxInFlight: 2, log });
    for (let i = 0; i < 4; i++) expect((await send('/v1/pets')).status).to.equal(500);
  });

  it('exempts the paths outside the base path', async () => {
    await fill();
    for (const path of ['/livez', '/readyz', '/openapi.json']) expect((await send(path)).status, path).to.equal(200);
  });

  it('does not count a request whose body is still arriving', async () => {
    const slow: Promise<Response>[] = [];
    const writers: WritableStreamDefaultWriter<Uint8Array>[] = [];
    while (slow.length < 3) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      writers.push(writable.getWriter());
      slow.push(send('/v1/pets', { method: 'POST', body: readable, duplex: 'half', headers: POST_HEADERS }));
      await turn();
    }
    expect((await send('/v1/pets/1')).status).to.equal(404);
    for (const [i, writer] of writers.entries()) {
      await writer.write(new TextEncoder().encode('{"name":"Rex","categoryId":7}'));
      await writer.close();
      expect((await slow[i])?.status).to.equal(201);
    }
  });

  for (const maxInFlight of [0, -1, 1.5, Number.NaN]) {
    it(`cannot be ${maxInFlight}`, () => {
      const store = createAnimalStore({ catalogue });
      expect(() => createFetchHandler({ store, apiKeys: new InMemoryApiKeys([]), maxInFlight })).to.throw(
        TypeError,
        'maxInFlight must be a positive integer',
      );
    });
  }

  it('calls the method that the store has at the time of each request, such as one that a test has replaced', async () => {
    const store = createAnimalStore({ catalogue });
    const replaced = createFetchHandler({
      store,
      apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
      maxInFlight: 2,
    });
    store.createPetOnce = async () => ({ pet: { id: 99n, name: 'Tom', categoryId: 7n }, replayed: false });
    const answer = await replaced(
      new Request('http://127.0.0.1/v1/pets', {
        method: 'POST',
        headers: { ...POST_HEADERS, 'idempotency-key': 'mine' },
        body: '{"name":"Rex","categoryId":7}',
      }),
    );
    expect(await answer.json()).to.deep.equal({ id: 99, name: 'Tom', categoryId: 7 });
  });
});
