import { expect } from 'chai';
import { hash } from 'node:crypto';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { exportStore } from '../../../src/application/transfer/export-store.js';
import { restoreStore } from '../../../src/application/transfer/restore-store.js';
import type { StoreRecord } from '../../../src/application/transfer/store-record.js';
import type { ApiKeyRecord } from '../../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../../src/domain/api-keys/api-keys.js';
import type { PetCatalogue, PetRecord } from '../../../src/domain/pet-catalogue.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

function petRecord(id: bigint, pet: object = REX): StoreRecord {
  return { kind: 'pet', pet: { ...REX, ...pet, id } };
}

function petRecordOnce(id: bigint, digest: string): StoreRecord {
  return { ...petRecord(id), idempotencyDigest: digest } as StoreRecord;
}

function keyRecord(id: string, digit: string, more: object = {}): StoreRecord {
  return { kind: 'apiKey', apiKey: { id, digest: digit.repeat(64), name: 'anna', createdAt: new Date(1), ...more } };
}

async function recordsOf(catalogue: PetCatalogue, registry?: ApiKeyRegistry): Promise<StoreRecord[]> {
  const records: StoreRecord[] = [];
  for await (const record of exportStore({ catalogue, registry })) records.push(record);
  return records;
}

/** A catalogue without some of the optional methods. */
function without(...methods: (keyof PetCatalogue)[]): PetCatalogue {
  const left = methods.map((method) => [method, undefined]);
  return Object.assign(new InMemoryPetCatalogue(), Object.fromEntries(left)) as PetCatalogue;
}

describe('exportStore', () => {
  it('yields the animals by ascending id, each with the digest of its idempotency key', async () => {
    const catalogue = new InMemoryPetCatalogue(Array.from({ length: 250 }, () => REX));
    await catalogue.addOnce(REX, 'key');
    const records = await recordsOf(catalogue);
    const pets = Array.from({ length: 250 }, (_, i) => petRecord(BigInt(i + 1)));
    expect(records).to.deep.equal([...pets, petRecordOnce(251n, hash('sha256', 'key'))]);
  });

  it('yields the API keys after the animals', async () => {
    const catalogue = new InMemoryPetCatalogue([REX]);
    const registry = new InMemoryApiKeys([{ name: 'anna', key: 'a key of anna’s own' }]);
    const kinds = [];
    for await (const { kind } of exportStore({ catalogue, registry })) kinds.push(kind);
    expect(kinds).to.deep.equal(['pet', 'apiKey']);
  });

  it('rejects for a digest and for an API key that no store would restore, and names them', async () => {
    const catalogue = new InMemoryPetCatalogue();
    catalogue.records = async function* () {
      yield petRecordOnce(3n, '00') as PetRecord;
    };
    expect(await rejectionOf(recordsOf(catalogue))).to.include({
      code: 'invalid_record',
      message: 'the animal 3: idempotencyDigest must be 64 lower-case hexadecimal digits',
    });
    const registry = new InMemoryApiKeys([]);
    await registry.add((keyRecord('a b', '1') as { apiKey: ApiKeyRecord }).apiKey);
    const error = await rejectionOf(recordsOf(new InMemoryPetCatalogue(), registry));
    expect(String(error)).to.include('the API key "a b": id must be ');
  });

  it('lists the animals of a catalogue without records, and yields no digests', async () => {
    const catalogue = without('records');
    await catalogue.addOnce?.(REX, 'key');
    expect(await recordsOf(catalogue)).to.deep.equal([petRecord(1n)]);
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
    expect(result).to.deep.equal({ restored: { pet: 2530, apiKey: 0 }, unchanged: { pet: 0, apiKey: 0 } });
    expect(await recordsOf(catalogue)).to.deep.equal(await recordsOf(old));
    expect(await catalogue.addOnce(REX, 'key 7')).to.include({ replayed: true });
  });

  it('does not store records that are stored already, and counts them', async () => {
    const records = [petRecord(1n), petRecordOnce(2n, 'a'.repeat(64))];
    await restoreStore({ catalogue }, records.slice(0, 1));
    expect(await restoreStore({ catalogue }, records)).to.deep.equal({
      restored: { pet: 1, apiKey: 0 },
      unchanged: { pet: 1, apiKey: 0 },
    });
    expect(await restoreStore({ catalogue }, records)).to.deep.include({ unchanged: { pet: 2, apiKey: 0 } });
  });

  it('rejects an animal whose id belongs to another one, names its record, and keeps what is stored', async () => {
    await catalogue.restore([{ pet: { id: 1234n, name: 'Tom', categoryId: 1n } }]);
    const pets = Array.from({ length: 2500 }, (_, i) => petRecord(BigInt(i + 1)));
    const error = await rejectionOf(restoreStore({ catalogue }, pets));
    expect(error).to.include({ code: 'restore_conflict' });
    expect(String(error)).to.include('record 1234: the store has another animal with the id 1234');
    expect(await catalogue.find(1234n)).to.include({ name: 'Tom' });
    expect(await catalogue.find(2001n)).to.equal(undefined);
    const restoring = restoreStore({ catalogue }, pets, { nameOf: (position) => `line ${position + 1}` });
    expect(String(await rejectionOf(restoring))).to.include('line 1235: ');
  });

  it('rejects an animal whose digest belongs to one of an earlier batch', async () => {
    const between = Array.from({ length: 1000 }, (_, i) => petRecord(BigInt(i + 2)));
    const records = [petRecordOnce(1n, 'a'.repeat(64)), ...between, petRecordOnce(1002n, 'a'.repeat(64))];
    const error = await rejectionOf(restoreStore({ catalogue }, records));
    expect(error).to.include({ code: 'restore_conflict' });
    expect(String(error)).to.match(
      /record 1002: .*the id 1002, or another idempotency key for it, or this key for another id$/,
    );
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
      petRecordOnce(2n, 'A'.repeat(64)),
      /^record 2: idempotencyDigest must be 64 lower-case hexadecimal digits$/,
    ],
    'a digest that is no string': [
      petRecordOnce(2n, 7 as unknown as string),
      /^record 2: idempotencyDigest must be 64/,
    ],
    'the digest of another animal': [
      petRecordOnce(2n, 'b'.repeat(64)),
      /^record 2: idempotencyDigest must not be that of another animal$/,
    ],
  };
  for (const [what, [record, message]] of Object.entries(invalid)) {
    it(`rejects ${what}, and names the record and the rule`, async () => {
      const error = await rejectionOf(restoreStore({ catalogue }, [petRecordOnce(1n, 'b'.repeat(64)), record]));
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
    expect(await restore()).to.deep.include({ restored: { pet: 0, apiKey: 2 } });
    expect((await registry.list({ limit: 100 })).keys).to.deep.equal((await old.list({ limit: 100 })).keys);
    expect(await registry.verify(keys[0]?.key ?? '')).to.equal(undefined);
    expect(await registry.verify(keys[1]?.key ?? '')).to.deep.equal({ name: 'bob' });
    expect(await restore()).to.deep.include({ unchanged: { pet: 0, apiKey: 2 } });
  });

  it('rejects an API key that differs from the one with its id, or has the SHA-256 of another, and keeps that', async () => {
    const registry = new InMemoryApiKeys();
    const facts = { lifetimeMs: 5, expiresAt: new Date(6) };
    await restoreStore({ catalogue, registry }, [keyRecord('one', 'a', facts)]);
    const again = [keyRecord('one', 'a', facts), keyRecord('two', 'b')];
    expect(await restoreStore({ catalogue, registry }, again)).to.deep.include({
      restored: { pet: 0, apiKey: 1 },
      unchanged: { pet: 0, apiKey: 1 },
    });
    const before = await registry.list({ limit: 100 });
    const changes = [
      ...[{ name: 'ben' }, { createdAt: new Date(2) }, { lifetimeMs: 6 }, { expiresAt: new Date(7) }],
      ...[{ revokedAt: new Date(9) }, { digest: 'c'.repeat(64) }, { id: 'three' }],
    ];
    for (const change of changes) {
      const other = keyRecord('one', 'a', { ...facts, ...change });
      const error = await rejectionOf(restoreStore({ catalogue, registry }, [other]));
      expect(error, Object.keys(change).join()).to.include({ code: 'restore_conflict' });
    }
    expect(await registry.list({ limit: 100 })).to.deep.equal(before);
  });

  it('accepts an API key at the limits of the rules, and none beyond', async () => {
    const LIFETIME_MAX_MS = 36_500 * 86_400_000;
    const restore = async (id: string, more: object) =>
      restoreStore({ catalogue, registry: new InMemoryApiKeys() }, [keyRecord(id, 'a', more)]);
    const longest = `aZ09_-${'x'.repeat(58)}`;
    const within = [
      [longest, { lifetimeMs: LIFETIME_MAX_MS, name: 'x'.repeat(256) }],
      ['x', { lifetimeMs: 1, expiresAt: new Date(0), revokedAt: new Date(0) }],
    ] as const;
    for (const [id, more] of within) expect((await restore(id, more)).restored.apiKey, id).to.equal(1);
    const beyond: readonly object[] = [
      ...[`${longest}x`, '', 'a b', 12_345].map((id) => ({ id })),
      ...[LIFETIME_MAX_MS + 1, 1.5].map((lifetimeMs) => ({ lifetimeMs })),
      ...['a'.repeat(65), ['a'.repeat(64)]].map((digest) => ({ digest })),
      ...[{ name: 'x'.repeat(257) }, { createdAt: undefined }, { revokedAt: new Date(Number.NaN) }],
    ];
    for (const more of beyond) {
      expect(await rejectionOf(restore('x', more)), JSON.stringify(more)).to.include({ code: 'invalid_record' });
    }
  });

  it('rejects an API key that breaks rules, and one for a store that keeps none', async () => {
    const broken = { name: '', createdAt: new Date(Number.NaN), lifetimeMs: 0, expiresAt: 7 };
    const error = await rejectionOf(
      restoreStore({ catalogue, registry: new InMemoryApiKeys() }, [keyRecord('?', 'A', broken)]),
    );
    for (const member of ['id', 'digest', 'name', 'lifetimeMs', 'createdAt', 'expiresAt']) {
      expect((error as Error).message).to.match(new RegExp(`(?:: |; )${member} must be `));
    }
    expect(await rejectionOf(restoreStore({ catalogue }, [keyRecord('one', 'a')]))).to.include({
      code: 'transfer_not_supported',
    });
  });

  it('rejects if the catalogue cannot restore animals', async () => {
    const error = await rejectionOf(restoreStore({ catalogue: without('restore') }, [petRecord(1n)]));
    expect(error).to.include({ code: 'transfer_not_supported' });
  });

  it('reports its progress after each batch of animals and each API key', async () => {
    const pets = Array.from({ length: 2500 }, (_, i) => petRecord(BigInt(i + 1)));
    const told: number[] = [];
    await restoreStore({ catalogue, registry: new InMemoryApiKeys() }, [...pets, keyRecord('one', 'a')], {
      onProgress: (done) => told.push(done),
    });
    expect(told).to.deep.equal([1000, 2000, 2500, 2501]);
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
