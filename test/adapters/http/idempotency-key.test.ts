import { expect } from 'chai';
import fc from 'fast-check';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { idempotencyKeyOf, idempotencyKeySchema, scopedKey } from '../../../src/adapters/http/idempotency-key.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { isIdempotencyKey, type PetCreation } from '../../../src/domain/idempotency-key.js';
import type { NewPet } from '../../../src/domain/pet.js';
import { until } from '../../support/until.js';

const REX = '{"name":"Rex","categoryId":7}';
const TOM = '{"name":"Tom","categoryId":7}';

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const keys = fc.string({ unit: visible, minLength: 1, maxLength: 255 });
const quoted = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`;

function keyOf(...values: readonly string[]): string | undefined {
  return idempotencyKeyOf(values.flatMap((value) => ['Idempotency-Key', value]));
}

describe('the header field Idempotency-Key', () => {
  it('is undefined if it was not sent', () => {
    expect(idempotencyKeyOf(['Host', 'a', 'X-Idempotency-Key', 'b'])).to.equal(undefined);
  });

  it('returns any 1 to 255 visible characters, bare unless the first one is a quotation mark', () => {
    fc.assert(
      fc.property(keys, (key) => {
        fc.pre(!key.startsWith('"'));
        expect(keyOf(key)).to.equal(key);
      }),
    );
  });

  it('returns any 1 to 255 visible characters from a quoted string', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(keyOf(quoted(key))).to.equal(key);
      }),
    );
  });

  it('returns a key of 1 to 255 visible characters or throws, whatever is sent', () => {
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', '\\', 'a', ' ', ',', ';', '\u00e9') }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(value, (sent) => {
        let key: string | undefined;
        try {
          key = keyOf(sent);
        } catch (error) {
          expect(error).to.have.property('code', 'invalid_parameter');
          return;
        }
        expect(key).to.match(/^[\x21-\x7e]{1,255}$/);
      }),
    );
  });

  it('is what the OpenAPI document says: the pattern accepts what is read', () => {
    const pattern = new RegExp(idempotencyKeySchema.pattern, 'u');
    const value = fc.string({ unit: fc.constantFrom('"', '\\', 'a', ' ', ',', '~', '!') });
    fc.assert(
      fc.property(value, (sent) => {
        const isRead = ((): boolean => {
          try {
            return keyOf(sent) !== undefined;
          } catch {
            return false;
          }
        })();
        expect(pattern.test(sent)).to.equal(isRead);
      }),
    );
  });

  it('is refused if it was sent twice, even with one value', () => {
    expect(() => keyOf('a', 'a')).to.throw(/^Idempotency-Key must be given once/);
  });

  it('is refused if the Fetch API joined several values', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(keys, keys.map(quoted)), { minLength: 2, maxLength: 4 }), (values) => {
        expect(() => keyOf(values.join(', '))).to.throw(/^Idempotency-Key must be given once/);
      }),
    );
  });

  for (const [what, value] of Object.entries({
    'a control character': 'a\u007fb',
    'U+0000': 'a\0b',
    'a line end': 'a\n',
    'a letter beyond latin1': '\u0142',
  })) {
    it(`is refused with ${what}`, () => {
      expect(() => keyOf(value)).to.throw(/^Idempotency-Key must be given once/);
    });
  }
});

describe('the text for the store', () => {
  it('differs for each pair of a key and a name', () => {
    const names = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\u00e9', '~'), maxLength: 4 });
    const short = fc.string({ unit: fc.constantFrom('a', '"', '~'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(short, names, short, names, (key, name, otherKey, otherName) => {
        const same = key === otherKey && name === otherName;
        expect(scopedKey(key, { name }) === scopedKey(otherKey, { name: otherName })).to.equal(same);
      }),
      { numRuns: 1000 },
    );
  });

  it('is valid for the core with the longest key and the longest name of a key', () => {
    expect(isIdempotencyKey(scopedKey('x'.repeat(255), { name: '😀'.repeat(256) }))).to.equal(true);
  });
});

/** A catalogue that is silent for a number of calls: before it stores the animal, or after. */
class SilentCatalogue extends InMemoryPetCatalogue {
  readonly #silence: ('before' | 'after')[];

  constructor(...silence: ('before' | 'after')[]) {
    super();
    this.#silence = silence;
  }

  override async addOnce(newPet: NewPet, once: string): Promise<PetCreation> {
    const silent = this.#silence.shift();
    if (silent !== 'before') {
      const creation = await super.addOnce(newPet, once);
      if (silent === undefined) return creation;
    }
    throw new AnimalStoreError('store_unavailable', 'it is silent');
  }
}

describe('a creation with Idempotency-Key', () => {
  const log = { warn: () => undefined, error: () => undefined };
  const apiKeys = new InMemoryApiKeys([
    { name: 'anna', key: 'the first key of anna' },
    { name: 'anna', key: 'the other key of anna' },
    { name: 'bert', key: 'the only key of bert.' },
  ]);

  function serve(
    options: Partial<HttpInterfaceOptions> = {},
  ): (key: string, body: string, apiKey?: string) => Promise<Response> {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const handle = createFetchHandler({ store, apiKeys, log, ...options });
    return async (key, body, apiKey = 'the first key of anna') =>
      handle(
        new Request('http://127.0.0.1/v1/pets', {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
          body,
        }),
      );
  }

  it('belongs to the name of its API key: another key of that name repeats it', async () => {
    const send = serve();
    const first = await (await send('k', REX)).text();
    const answer = await send('k', REX, 'the other key of anna');
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, 'true']);
    expect(await answer.text()).to.equal(first);
  });

  it('is separate for each name, and reveals no animal of the other name', async () => {
    const send = serve();
    expect((await send('k', REX)).status).to.equal(201);
    const answer = await send('k', TOM, 'the only key of bert.');
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, null]);
    expect(await answer.text()).to.equal('{"id":2,"name":"Tom","categoryId":7}');
  });

  for (const when of ['before', 'after'] as const) {
    it(`adds one animal if it is sent again after a 503 from ${when} the animal was stored`, async () => {
      const store = createAnimalStore({ catalogue: new SilentCatalogue(when) });
      const send = serve({ store });
      expect((await send('k', REX)).status).to.equal(503);
      expect(await (await send('k', REX)).text()).to.equal('{"id":1,"name":"Rex","categoryId":7}');
      expect((await store.listPets()).pets).to.have.length(1);
    });
  }

  it('is not used up by a 429', async () => {
    let waits: number | undefined = 1000;
    const send = serve({ rateLimiter: { take: async () => waits } });
    expect((await send('k', REX)).status).to.equal(429);
    waits = undefined;
    const answer = await send('k', TOM);
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, null]);
  });

  it('is counted by the limit to the requests in flight, and not used up by its refusal', async () => {
    let open: () => void = () => undefined;
    const catalogue = new InMemoryPetCatalogue();
    const opened = new Promise<void>((resolve) => (open = resolve));
    const addOnce = catalogue.addOnce.bind(catalogue);
    let waiting = 0;
    catalogue.addOnce = async (newPet, once) => {
      waiting++;
      await opened;
      return addOnce(newPet, once);
    };
    // The keys in memory answer immediately, so that only the creations are in flight.
    const send = serve({ store: createAnimalStore({ catalogue }), maxInFlight: 2 });
    const both = [send('a', REX), send('b', REX)];
    await until(() => waiting === 2);
    expect((await send('c', REX)).status).to.equal(503);
    open();
    expect((await Promise.all(both)).map(({ status }) => status)).to.deep.equal([201, 201]);
    const answer = await send('c', TOM);
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, null]);
  });

  /** A store on a catalogue that has no `addOnce`. */
  function storeWithoutAddOnce() {
    return createAnimalStore({ catalogue: Object.assign(new InMemoryPetCatalogue(), { addOnce: undefined }) });
  }

  it('is refused on a catalogue without addOnce, limited or not', async () => {
    for (const options of [{}, { maxInFlight: 2 }]) {
      const store = storeWithoutAddOnce();
      const answer = await serve({ store, ...options })('k', REX);
      expect([answer.status, await answer.json()]).to.deep.equal([
        400,
        {
          code: 'invalid_parameter',
          message: 'Idempotency-Key must not be given: this service does not support Idempotency-Key',
          status: 400,
        },
      ]);
      expect(await store.listPets()).to.deep.equal({ pets: [] });
    }
  });

  it('need not be sent to a catalogue without addOnce', async () => {
    const handle = createFetchHandler({ store: storeWithoutAddOnce(), apiKeys, log });
    const headers = { authorization: 'Bearer the only key of bert.', 'content-type': 'application/json' };
    const answer = await handle(new Request('http://127.0.0.1/v1/pets', { method: 'POST', headers, body: REX }));
    expect(answer.status).to.equal(201);
  });

  it("does not show the store's own message about a key that was used for another animal", async () => {
    const catalogue = new InMemoryPetCatalogue();
    catalogue.addOnce = async () => {
      throw new AnimalStoreError('idempotency_key_reused', 'it stands for Bucephalus');
    };
    const answer = await serve({ store: createAnimalStore({ catalogue }) })('k', REX);
    expect(answer.status).to.equal(422);
    expect(await answer.text()).not.to.include('Bucephalus');
  });
});
