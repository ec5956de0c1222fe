import { expect } from 'chai';
import fc from 'fast-check';
import { HttpError } from '../../../../src/adapters/http/pipeline/errors.js';
import { idempotencyKeyOf, scopedKey } from '../../../../src/adapters/http/operations/idempotency-key.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { isIdempotencyKey, type PetCreation } from '../../../../src/domain/idempotency-key.js';
import type { NewPet } from '../../../../src/domain/pet.js';
import type { PetCatalogue } from '../../../../src/domain/pet-catalogue.js';
import { fetchInMemory, KEY, REX, SILENT, type InMemoryOptions } from '../../../support/in-memory-interface.js';

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
    expect(keyOf('x'.repeat(255))).to.equal(keyOf(quoted('x'.repeat(255))));
  });

  it('is refused if the Fetch API joined several values', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(keys, keys.map(quoted)), { minLength: 2, maxLength: 4 }), (values) => {
        expect(() => keyOf(values.join(', '))).to.throw(HttpError);
      }),
    );
  });

  for (const [what, value] of Object.entries({
    'a control character': 'a\u007fb',
    'U+0000': 'a\0b',
    'a line end': 'a\n',
    'a letter beyond latin1': '\u0142',
    'nothing between quotation marks': '""',
    '256 characters': 'x'.repeat(256),
    '256 characters between quotation marks': quoted('x'.repeat(256)),
  })) {
    it(`is refused with ${what}`, () => {
      expect(() => keyOf(value)).to.throw(HttpError);
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

  it('is the same in every version, for a creation before an upgrade that is repeated after it', () => {
    expect(scopedKey('mine', { name: 'anna' })).to.equal('mine anna');
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
  const OTHER_KEY = 'the other key of me';
  const KEY_OF_BERT = 'the only key of bert.';
  const apiKeys = new InMemoryApiKeys([
    { name: 'me', key: KEY },
    { name: 'me', key: OTHER_KEY },
    { name: 'bert', key: KEY_OF_BERT },
  ]);

  function serve(options?: InMemoryOptions): (once: string, body: string, key?: string) => Promise<Response> {
    const ask = fetchInMemory({ apiKeys, log: SILENT, ...options });
    return async (once, body, key = KEY) => ask('/v1/pets', { key, headers: { 'idempotency-key': once }, body });
  }

  function expectCreated(answer: Response, replayed: 'true' | null): void {
    expect([answer.status, answer.headers.get('Idempotency-Replayed')]).to.deep.equal([201, replayed]);
  }

  it('belongs to the name of its API key: another key of that name repeats it', async () => {
    const send = serve();
    const first = await (await send('k', REX)).text();
    const answer = await send('k', REX, OTHER_KEY);
    expectCreated(answer, 'true');
    expect(await answer.text()).to.equal(first);
  });

  it('is separate for each name, and reveals no animal of the other name', async () => {
    const send = serve();
    expectCreated(await send('k', REX), null);
    const answer = await send('k', TOM, KEY_OF_BERT);
    expectCreated(answer, null);
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

  describe('on a catalogue without addOnce', () => {
    let catalogue: PetCatalogue;
    beforeEach(() => {
      catalogue = new InMemoryPetCatalogue();
      Object.assign(catalogue, { addOnce: undefined });
    });

    it('is refused, and adds nothing', async () => {
      const answer = await serve({ catalogue })('k', REX);
      expect(await answer.text()).to.match(/"invalid_parameter".*does not support Idempotency-Key.*400/);
      expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
    });

    it('need not be sent', async () => {
      expectCreated(await fetchInMemory({ catalogue })('/v1/pets', { body: REX }), null);
    });
  });

  it("does not show the store's own message about a key that was used for another animal", async () => {
    const catalogue = new InMemoryPetCatalogue();
    catalogue.addOnce = async () => {
      throw new AnimalStoreError('idempotency_key_reused', 'it stands for Bucephalus');
    };
    const answer = await serve({ catalogue })('k', REX);
    expect(answer.status).to.equal(422);
    expect(await answer.text()).not.to.include('Bucephalus');
  });
});
