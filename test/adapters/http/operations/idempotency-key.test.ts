import { expect } from 'chai';
import fc from 'fast-check';
import { HttpError } from '../../../../src/adapters/http/pipeline/errors.js';
import { idempotencyKeyOf, scopedKey } from '../../../../src/adapters/http/operations/idempotency-key.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { isIdempotencyKey } from '../../../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../../../src/domain/pet-catalogue.js';
import { fetchInMemory, KEY, REX, SILENT, type InMemoryOptions } from '../../../support/in-memory-interface.js';

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const keys = fc.string({ unit: visible, minLength: 1, maxLength: 255 });
const quoted = (key: string): string => `"${key.replace(/["\\]/g, '\\$&')}"`;
const keyOf = (value: string): string | undefined => idempotencyKeyOf(['Idempotency-Key', value]);

describe('the header field Idempotency-Key', () => {
  it('is any 1 to 255 visible characters, in a quoted string, or bare unless the first one is a quotation mark', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(keyOf(quoted(key))).to.equal(key);
        if (!key.startsWith('"')) expect(keyOf(key)).to.equal(key);
      }),
    );
  });

  it('is refused if the Fetch API joined several values', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(keys, keys.map(quoted)), { minLength: 2, maxLength: 4 }), (values) => {
        expect(() => keyOf(values.join(', '))).to.throw(HttpError);
      }),
    );
  });

  // What the contract suite cannot send by `fetch`, or has no case of.
  for (const value of ['a\u007fb', 'a\0b', 'a\n', '\u0142', quoted('x'.repeat(256))]) {
    it(`must not be ${JSON.stringify(value.slice(0, 9))}`, () => {
      expect(() => keyOf(value)).to.throw(HttpError);
    });
  }
});

describe('the idempotency key for the store', () => {
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

describe('a creation with Idempotency-Key', () => {
  const OTHER_KEY = 'the other key of me';
  const KEY_OF_BERT = 'the only key of bert.';
  const apiKeys = new InMemoryApiKeys([
    { name: 'me', key: KEY },
    { name: 'me', key: OTHER_KEY },
    { name: 'bert', key: KEY_OF_BERT },
  ]);

  /** Sends creations with the same `Idempotency-Key`. Resolves to the status, the field that says that it is a replay, and the text. */
  function serve(options?: InMemoryOptions) {
    const ask = fetchInMemory({ apiKeys, log: SILENT, ...options });
    return async (key: string, body: string): Promise<readonly [number, string | null, string]> => {
      const response = await ask('/v1/pets', { key, headers: { 'idempotency-key': 'k' }, body });
      return [response.status, response.headers.get('Idempotency-Replayed'), await response.text()];
    };
  }

  it('belongs to the name of its API key: another key of that name repeats it, another name does not', async () => {
    const send = serve();
    const rex = '{"id":1,"name":"Rex","categoryId":7}';
    expect(await send(KEY, REX)).to.deep.equal([201, null, rex]);
    expect(await send(OTHER_KEY, REX)).to.deep.equal([201, 'true', rex]);
    const tom = await send(KEY_OF_BERT, '{"name":"Tom","categoryId":7}');
    expect(tom).to.deep.equal([201, null, '{"id":2,"name":"Tom","categoryId":7}']);
  });

  it('is refused on a catalogue without addOnce, and adds nothing', async () => {
    const catalogue: PetCatalogue = new InMemoryPetCatalogue();
    Object.assign(catalogue, { addOnce: undefined });
    const [status, , text] = await serve({ catalogue })(KEY, REX);
    expect(status).to.equal(400);
    expect(text).to.match(/"invalid_parameter".*does not support Idempotency-Key/);
    expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
    expect((await fetchInMemory({ catalogue })('/v1/pets', { body: REX })).status).to.equal(201);
  });

  it("does not show the store's own message about a key that was used for another animal", async () => {
    const catalogue = new InMemoryPetCatalogue();
    catalogue.addOnce = async () => {
      throw new AnimalStoreError('idempotency_key_reused', 'it stands for Bucephalus');
    };
    const [status, , text] = await serve({ catalogue })(KEY, REX);
    expect(status).to.equal(422);
    expect(text).not.to.include('Bucephalus');
  });
});
