import { expect } from 'chai';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { exportStore } from '../../../src/application/moving/export-store.js';
import { restoreStore } from '../../../src/application/moving/restore-store.js';
import type { StoreRecord } from '../../../src/application/moving/store-record.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

function petRecord(id: bigint, pet: object = REX): StoreRecord {
  return { kind: 'pet', pet: { ...REX, ...pet, id } };
}

function creationRecord(digit: string, petId: bigint, more: object = {}): StoreRecord {
  return { kind: 'creation', creation: { sha256: digit.repeat(64), petId, at: new Date(), ...more } };
}

function keyRecord(id: string, digit: string, more: object = {}): StoreRecord {
  return { kind: 'apiKey', apiKey: { id, sha256: digit.repeat(64), name: 'anna', createdAt: new Date(1), ...more } };
}

async function recordsOf(catalogue: PetCatalogue): Promise<StoreRecord[]> {
  const records: StoreRecord[] = [];
  for await (const record of exportStore({ catalogue })) records.push(record);
  return records;
}

/** A catalogue without some of the optional methods. */
function without(...methods: (keyof PetCatalogue)[]): PetCatalogue {
  const left = methods.map((method) => [method, undefined]);
  return Object.assign(new InMemoryPetCatalogue(), Object.fromEntries(left)) as PetCatalogue;
}

describe('exportStore', () => {
  it('yields the animals by ascending id, and then the creations', async () => {
    const catalogue = new InMemoryPetCatalogue(Array.from({ length: 250 }, () => REX));
    const { pet } = await catalogue.addOnce(REX, 'key');
    const records = await recordsOf(catalogue);
    const ids = records.flatMap((record) => (record.kind === 'pet' ? [record.pet.id] : []));
    expect(ids).to.deep.equal(Array.from({ length: 251 }, (_, i) => BigInt(i + 1)));
    expect(records.at(-1)).to.have.nested.property('creation.petId', pet.id);
    expect(records).to.have.length(252);
  });

  it('leaves the creations and the API keys out if only the animals are requested', async () => {
    const catalogue = new InMemoryPetCatalogue();
    await catalogue.addOnce(REX, 'key');
    const registry = new InMemoryApiKeys([{ name: 'anna', key: 'a key of anna’s own' }]);
    const kindsOf = async (animalsOnly: boolean): Promise<string[]> => {
      const kinds = [];
      for await (const { kind } of exportStore({ catalogue, registry }, { animalsOnly })) kinds.push(kind);
      return kinds;
    };
    expect(await kindsOf(true)).to.deep.equal(['pet']);
    expect(await kindsOf(false)).to.deep.equal(['pet', 'apiKey', 'creation']);
  });

  it('yields the animals of a catalogue that remembers no creations', async () => {
    expect(await recordsOf(without('addOnce', 'listCreations'))).to.deep.equal([]);
  });

  it('rejects before it yields an animal if the catalogue cannot list its creations', async () => {
    const catalogue = without('listCreations');
    await catalogue.add(REX);
    expect(await rejectionOf(exportStore({ catalogue }).next())).to.include({ code: 'transfer_not_supported' });
  });
});

describe('restoreStore', () => {
  let catalogue: InMemoryPetCatalogue;

  beforeEach(() => {
    catalogue = new InMemoryPetCatalogue();
  });

  it('makes a catalogue that exports the same records as the old one', async () => {
    const old = new InMemoryPetCatalogue(Array.from({ length: 2500 }, (_, i) => ({ ...REX, name: `pet ${i}` })));
    for (let i = 0; i < 30; i++) await old.addOnce(REX, `key ${i}`);
    const result = await restoreStore({ catalogue }, exportStore({ catalogue: old }));
    expect(result).to.deep.equal({
      restored: { pet: 2530, apiKey: 0, creation: 30 },
      present: { pet: 0, apiKey: 0, creation: 0 },
      leftOut: 0,
    });
    const sha256s = (records: readonly StoreRecord[]) =>
      records.flatMap((record) => (record.kind === 'creation' ? [record.creation.sha256] : [])).sort();
    const [was, is] = [await recordsOf(old), await recordsOf(catalogue)];
    expect(is.slice(0, 2530)).to.deep.equal(was.slice(0, 2530));
    expect(sha256s(is)).to.deep.equal(sha256s(was));
    expect(await catalogue.addOnce(REX, 'key 7')).to.include({ replayed: true });
  });

  it('restores nothing of no records', async () => {
    const none = { pet: 0, apiKey: 0, creation: 0 };
    expect(await restoreStore({ catalogue }, [])).to.deep.equal({ restored: none, present: none, leftOut: 0 });
  });

  it('does not store records that are stored already, and counts them', async () => {
    const records = [petRecord(1n), petRecord(2n), creationRecord('a', 2n)];
    await restoreStore({ catalogue }, records.slice(0, 1));
    expect(await restoreStore({ catalogue }, records)).to.deep.equal({
      restored: { pet: 1, apiKey: 0, creation: 1 },
      present: { pet: 1, apiKey: 0, creation: 0 },
      leftOut: 0,
    });
    expect(await restoreStore({ catalogue }, records)).to.deep.include({ present: { pet: 2, apiKey: 0, creation: 1 } });
  });

  it('leaves out a creation whose animal does not exist, and counts it', async () => {
    const records = [petRecord(1n), creationRecord('a', 2n), creationRecord('b', 1n)];
    expect(await restoreStore({ catalogue }, records)).to.deep.include({
      restored: { pet: 1, apiKey: 0, creation: 1 },
      leftOut: 1,
    });
  });

  it('rejects an animal whose id belongs to another one, names the record and the id, and keeps the stored one', async () => {
    await catalogue.add({ name: 'Tom', categoryId: 1n });
    const pets = Array.from({ length: 1500 }, (_, i) => petRecord(BigInt(i + 1)));
    const error = await rejectionOf(restoreStore({ catalogue }, pets));
    expect(error).to.include({ code: 'restore_conflict' });
    expect(String(error)).to.include('record 1: the store has another animal with the id 1');
    expect(await catalogue.find(1n)).to.include({ name: 'Tom' });
    expect(await catalogue.find(1001n)).to.equal(undefined);
  });

  it('names the record of a conflict in a later batch by nameOf', async () => {
    await catalogue.restore([{ id: 1234n, name: 'Tom', categoryId: 1n }]);
    const pets = Array.from({ length: 1500 }, (_, i) => petRecord(BigInt(i + 1)));
    const restoring = restoreStore({ catalogue }, pets, { nameOf: (place) => `line ${place + 1}` });
    expect(String(await rejectionOf(restoring))).to.include('line 1235: the store has another animal with the id 1234');
  });

  it('rejects a creation whose key belongs to another animal', async () => {
    await restoreStore({ catalogue }, [petRecord(1n), petRecord(2n), creationRecord('a', 1n)]);
    const error = await rejectionOf(restoreStore({ catalogue }, [creationRecord('b', 1n), creationRecord('a', 2n)]));
    expect(error).to.include({ code: 'restore_conflict' });
    expect(String(error)).to.match(/record 2: .*has another animal for the idempotency key that created animal 2$/);
  });

  const invalid: Readonly<Record<string, readonly [record: StoreRecord, message: RegExp]>> = {
    'an id of 0': [petRecord(0n), /^record 2: id must be an integer from 1 to 9223372036854775807$/],
    'an id beyond int64': [petRecord(2n ** 63n), /^record 2: id must be an integer/],
    'an id that is not a bigint': [
      { kind: 'pet', pet: { ...REX, id: 2 as unknown as bigint } },
      /^record 2: id must be/,
    ],
    'an id that was there': [petRecord(1n), /^record 2: id must be greater than 1, the previous id$/],
    'an animal that breaks rules': [
      petRecord(2n, { name: '', categoryId: 2n ** 63n }),
      /^record 2: name must be .*; categoryId must be/,
    ],
    'a digest in capital letters': [
      creationRecord('A', 1n),
      /^record 2: sha256 must be 64 lower-case hexadecimal digits$/,
    ],
    'a creation of no animal': [creationRecord('a', 0n), /^record 2: petId must be an integer from 1/],
    'a creation at no time': [creationRecord('a', 1n, { at: new Date(Number.NaN) }), /^record 2: at must be a time$/],
  };
  for (const [what, [record, message]] of Object.entries(invalid)) {
    it(`rejects ${what}, and names the record and the rule`, async () => {
      const error = await rejectionOf(restoreStore({ catalogue }, [petRecord(1n), record]));
      expect(error).to.include({ code: 'invalid_record' });
      expect((error as Error).message).to.match(message);
    });
  }

  it('moves the API keys, which keep working, and leaves stored ones unchanged', async () => {
    const [old, registry] = [new InMemoryApiKeys(), new InMemoryApiKeys()];
    const manager = apiKeyManagerOf(old);
    const keys = [await manager.issue({ name: 'anna' }), await manager.issue({ name: 'bob', lifetimeMs: 60_000 })];
    await manager.revoke(keys[0]?.id ?? '');
    const restore = async () => restoreStore({ catalogue, registry }, exportStore({ catalogue, registry: old }));
    expect(await restore()).to.deep.include({ restored: { pet: 0, apiKey: 2, creation: 0 } });
    expect((await registry.list({ limit: 100 })).keys).to.deep.equal((await old.list({ limit: 100 })).keys);
    expect(await registry.verify(keys[0]?.key ?? '')).to.equal(undefined);
    expect(await registry.verify(keys[1]?.key ?? '')).to.deep.equal({ name: 'bob' });
    expect(await restore()).to.deep.include({ present: { pet: 0, apiKey: 2, creation: 0 } });
  });

  it('rejects an API key whose id or SHA-256 belongs to another one, and keeps the stored one', async () => {
    const registry = new InMemoryApiKeys();
    await restoreStore({ catalogue, registry }, [keyRecord('one', 'a')]);
    for (const record of [
      keyRecord('one', 'b'),
      keyRecord('two', 'a'),
      keyRecord('one', 'a', { revokedAt: new Date(9) }),
    ]) {
      const error = await rejectionOf(restoreStore({ catalogue, registry }, [record]));
      expect(error).to.include({ code: 'restore_conflict' });
    }
    expect((await registry.list({ limit: 100 })).keys).to.have.length(1);
  });

  it('rejects an API key that differs in anything from the one with its id', async () => {
    const registry = new InMemoryApiKeys();
    const facts = { lifetimeMs: 5, expiresAt: new Date(6) };
    await restoreStore({ catalogue, registry }, [keyRecord('one', 'a', facts)]);
    const again = [keyRecord('one', 'a', facts), keyRecord('two', 'b'), keyRecord('three', 'c')];
    expect(await restoreStore({ catalogue, registry }, again)).to.deep.include({
      restored: { pet: 0, apiKey: 2, creation: 0 },
      present: { pet: 0, apiKey: 1, creation: 0 },
    });
    const others = [{ name: 'ben' }, { createdAt: new Date(2) }, { lifetimeMs: 6 }, { expiresAt: new Date(7) }];
    for (const other of others) {
      const restoring = restoreStore({ catalogue, registry }, [keyRecord('one', 'a', { ...facts, ...other })]);
      const error = await rejectionOf(restoring);
      expect(error, Object.keys(other).join()).to.include({ code: 'restore_conflict' });
      expect(String(error)).to.include('the id one');
    }
  });

  it('accepts an API key at the limits of the rules, and none beyond', async () => {
    const LIFETIME_MAX_MS = 36_500 * 86_400_000;
    const restore = async (id: string, more: object) =>
      restoreStore({ catalogue, registry: new InMemoryApiKeys() }, [keyRecord(id, 'a', more)]);
    const longest = `aZ09_-${'x'.repeat(58)}`;
    const within: readonly (readonly [string, object])[] = [
      [longest, { lifetimeMs: LIFETIME_MAX_MS, name: 'x'.repeat(256) }],
      ['x', { lifetimeMs: 1, expiresAt: new Date(0), revokedAt: new Date(0) }],
    ];
    for (const [id, more] of within) expect((await restore(id, more)).restored.apiKey, id).to.equal(1);
    const beyond: readonly (readonly [string, object])[] = [
      [`${longest}x`, {}],
      ['', {}],
      ['a b', {}],
      ['x', { lifetimeMs: LIFETIME_MAX_MS + 1 }],
      ['x', { lifetimeMs: 1.5 }],
      ['x', { name: 'x'.repeat(257) }],
      ['x', { sha256: 'a'.repeat(65) }],
      [12_345 as unknown as string, {}],
      ['x', { sha256: ['a'.repeat(64)] }],
      ['x', { createdAt: undefined }],
      ['x', { revokedAt: new Date(Number.NaN) }],
    ];
    for (const [id, more] of beyond) {
      expect(await rejectionOf(restore(id, more)), JSON.stringify([id, more])).to.include({ code: 'invalid_record' });
    }
  });

  it('rejects an API key that breaks rules, and one for a store that keeps none', async () => {
    const broken = { name: '', createdAt: new Date(Number.NaN), lifetimeMs: 0, expiresAt: 7 };
    const error = await rejectionOf(
      restoreStore({ catalogue, registry: new InMemoryApiKeys() }, [keyRecord('?', 'A', broken)]),
    );
    for (const member of ['id', 'sha256', 'name', 'lifetimeMs', 'createdAt', 'expiresAt']) {
      expect((error as Error).message).to.match(new RegExp(`(?:: |; )${member} must be `));
    }
    expect(await rejectionOf(restoreStore({ catalogue }, [keyRecord('one', 'a')]))).to.include({
      code: 'transfer_not_supported',
    });
  });

  it('rejects if the catalogue cannot restore animals or creations', async () => {
    for (const [method, record] of [
      ['restore', petRecord(1n)],
      ['restoreCreations', creationRecord('a', 1n)],
    ] as const) {
      const error = await rejectionOf(restoreStore({ catalogue: without(method) }, [record]));
      expect(error).to.include({ code: 'transfer_not_supported' });
    }
  });

  it('reports its progress before the first batch and after each', async () => {
    const pets = Array.from({ length: 2500 }, (_, i) => petRecord(BigInt(i + 1)));
    const told: number[] = [];
    await restoreStore({ catalogue }, [...pets, creationRecord('a', 1n)], { onProgress: (done) => told.push(done) });
    expect(told).to.deep.equal([0, 1000, 2000, 2500, 2501]);
  });

  it('rejects with the error of the iteration over the records', async () => {
    const cut = new Error('the file was cut short');
    async function* records() {
      yield petRecord(1n);
      throw cut;
    }
    expect(await rejectionOf(restoreStore({ catalogue }, records()))).to.equal(cut);
  });
});
