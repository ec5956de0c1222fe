import { expect } from 'chai';
import { hash, randomBytes } from 'node:crypto';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { createApiKeyManager, type ApiKeyManager } from '../../../src/application/api-keys/api-key-manager.js';
import {
  KEY_LIFETIME_MAX_MS,
  type ApiKey,
  type ApiKeyRecord,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../../src/domain/api-keys/api-key.js';
import type { ApiKeyQuery, ApiKeyRegistry } from '../../../src/domain/api-keys/api-keys.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { except } from '../../support/except.js';
import { rejectionOf } from '../../support/rejection-of.js';

/** The manager's clock stands still, at the time of the start, because `verify` reads the clock of the machine. */
const START = Date.now();
const HOUR = 3_600_000;
const NO_NAMES = [
  ...['', 'a\nb', 'a\0b', '\ud800', '\u200b', 'a\u2028b', 'a\u2029b', 'x'.repeat(257)],
  ...[null, undefined, 7, ['anna']],
];
const NO_LIFETIMES = [0, -1, 1.5, NaN, Infinity, KEY_LIFETIME_MAX_MS + 1, '90', 1n, null];
const NO_OVERLAPS = [-1, 0.5, NaN, Infinity, KEY_LIFETIME_MAX_MS + 1, '0', null, undefined];

describe('ApiKeyManager', () => {
  let time: number;
  let registry: InMemoryApiKeys;
  let manager: ApiKeyManager;

  beforeEach(() => {
    time = START;
    registry = new InMemoryApiKeys();
    manager = createApiKeyManager({ registry, now, randomBytes });
  });

  const now = (): Date => new Date(time);

  const later = (milliseconds: number): Date => new Date(START + milliseconds);

  /** The record of a key, which must exist. */
  async function onRecord(id: string): Promise<ApiKeyRecord> {
    const record = await registry.find(id);
    if (record === undefined) throw new Error('no record has this id');
    return record;
  }

  async function listed(): Promise<ApiKey[]> {
    const all: ApiKey[] = [];
    for await (const apiKey of manager.list()) all.push(apiKey);
    return all;
  }

  /** A manager of the same registry with some methods replaced. */
  function managerWith(methods: Partial<ApiKeyRegistry>): ApiKeyManager {
    return createApiKeyManager({ registry: except<ApiKeyRegistry>(registry, methods), now, randomBytes });
  }

  async function expectRefusal(call: Promise<unknown>, code: string, members: readonly string[] = []): Promise<Error> {
    const error = await rejectionOf(call);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', code);
    expect((error as AnimalStoreError).faults.map(({ member }) => member)).to.deep.equal(members);
    return error as Error;
  }

  describe('issue', () => {
    it('resolves to a new key, which works for its name', async () => {
      const { key, ...apiKey } = await manager.issue({ name: 'anna' });
      expect(await registry.verify(key)).to.deep.equal({ name: 'anna' });
      expect(apiKey).to.deep.equal({ id: apiKey.id, name: 'anna', createdAt: later(0) });
    });

    it('passes the SHA-256 of the key to the registry instead of the key', async () => {
      const added: ApiKeyRecord[] = [];
      const watched = managerWith({ add: async (record) => added.push(record) > 0 });
      const { key, ...apiKey } = await watched.issue({ name: 'anna', lifetimeMs: HOUR });
      expect(apiKey).to.deep.include({ lifetimeMs: HOUR, expiresAt: later(HOUR) });
      expect(added).to.deep.equal([{ ...apiKey, digest: hash('sha256', key) }]);
    });

    it('makes distinct ids and keys at the same time for the same name', async () => {
      const issued = await Promise.all(Array.from({ length: 32 }, async () => manager.issue({ name: 'anna' })));
      expect(new Set(issued.map(({ id }) => id))).to.have.property('size', 32);
      expect(new Set(issued.map(({ key }) => key))).to.have.property('size', 32);
    });

    it('refuses a name and a lifetime that break their rules, and issues nothing', async () => {
      const faulty = { name: NO_NAMES, lifetimeMs: NO_LIFETIMES };
      for (const [member, values] of Object.entries(faulty)) {
        for (const value of values) {
          const request = { name: 'anna', [member]: value } as ApiKeyRequest;
          await expectRefusal(manager.issue(request), 'invalid_key_request', [member]);
        }
      }
      await expectRefusal(manager.issue({ name: '', lifetimeMs: 0 }), 'invalid_key_request', ['name', 'lifetimeMs']);
      expect(await listed()).to.deep.equal([]);
    });

    it('rejects if the random bytes repeat, and does not reveal an existing key', async () => {
      const repeating = createApiKeyManager({ registry, now, randomBytes: (size) => new Uint8Array(size) });
      await repeating.issue({ name: 'anna' });
      expect(await rejectionOf(repeating.issue({ name: 'ben' }))).to.have.property(
        'message',
        'the new API key already exists: the random generator repeated itself',
      );
    });
  });

  describe('list', () => {
    it('shows every key without its SHA-256, over as many pages as it takes, the oldest first', async () => {
      const issued: ApiKey[] = [];
      for (let i = 0; i < 250; i++) {
        time++;
        const { key: _key, ...apiKey } = await manager.issue({ name: `name ${i}` });
        issued.push(apiKey);
      }
      expect(await listed()).to.deep.equal(issued);
    });

    it('reads no page that the loop does not reach', async () => {
      for (let i = 0; i < 101; i++) await manager.issue({ name: 'anna' });
      const queries: ApiKeyQuery[] = [];
      const watched = managerWith({
        list: async (query) => {
          queries.push(query);
          return registry.list(query);
        },
      });
      for await (const { name } of watched.list()) if (name === 'anna') break;
      expect(queries).to.deep.equal([{ limit: 100 }]);
    });
  });

  for (const method of ['rotate', 'revoke'] as const) {
    it(`${method} rejects an id that no key has, without repeating it, and changes nothing`, async () => {
      const { key } = await manager.issue({ name: 'anna' });
      const expected = await listed();
      for (const id of ['nobody', '', '__proto__', key]) {
        const { message } = await expectRefusal(manager[method](id, { overlapMs: 0 }), 'api_key_not_found');
        expect(message).to.equal('no API key has this id');
      }
      expect(await listed()).to.deep.equal(expected);
    });
  }

  describe('rotate', () => {
    it('makes a key with the same name and lifetime, and keeps the old one active for the overlap', async () => {
      const old = await manager.issue({ name: 'anna', lifetimeMs: 2 * HOUR });
      const before = await onRecord(old.id);
      time += 1000;
      const successor = await manager.rotate(old.id, { overlapMs: HOUR });
      expect(successor).to.deep.include({ name: 'anna', lifetimeMs: 2 * HOUR, expiresAt: later(1000 + 2 * HOUR) });
      expect([successor.id, successor.key]).not.to.include.members([old.id, old.key]);
      for (const { key } of [old, successor]) expect(await registry.verify(key)).to.deep.equal({ name: 'anna' });
      expect(await onRecord(old.id)).to.deep.equal({ ...before, expiresAt: later(1000 + HOUR) });
    });

    it('replaces a key that never expires by one that never expires, even if the old one was rotated before', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      for (const overlapMs of [2 * HOUR, HOUR]) {
        expect(await manager.rotate(id, { overlapMs })).not.to.have.any.keys('lifetimeMs', 'expiresAt');
      }
    });

    it('rejects a key that was revoked or has expired, and changes nothing', async () => {
      const revoked = await manager.issue({ name: 'anna' });
      await manager.revoke(revoked.id);
      const expired = await manager.issue({ name: 'ben', lifetimeMs: 5 });
      time += 5;
      const expected = await listed();
      for (const { id } of [revoked, expired]) {
        await expectRefusal(manager.rotate(id, { overlapMs: HOUR }), 'api_key_not_active');
      }
      expect(await listed()).to.deep.equal(expected);
    });

    it('refuses an overlap that breaks its rule, and changes nothing', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      const expected = await listed();
      for (const overlapMs of NO_OVERLAPS) {
        const rotation = { overlapMs } as ApiKeyRotation;
        await expectRefusal(manager.rotate(id, rotation), 'invalid_key_request', ['overlapMs']);
      }
      expect(await listed()).to.deep.equal(expected);
    });

    it('checks a key again that another call has changed in the meantime', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      const overtaken = managerWith({
        replace: async (before, after) => {
          await manager.revoke(id);
          return registry.replace(before, after);
        },
      });
      await expectRefusal(overtaken.rotate(id, { overlapMs: HOUR }), 'api_key_not_active');
      expect(await listed()).to.have.length(1);
      expect(await onRecord(id)).not.to.have.property('expiresAt');
    });

    it('gives up if other calls keep changing the key, and issues nothing', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      let attempts = 0;
      const overtaken = managerWith({
        // Without a bound, the test would hang rather than fail.
        replace: async () => (++attempts > 1000 ? Promise.reject(new Error('it is tried for ever')) : false),
      });
      await expectRefusal(overtaken.rotate(id, { overlapMs: HOUR }), 'store_unavailable');
      expect(attempts).to.equal(100);
      expect(await listed()).to.have.length(1);
    });
  });

  describe('revoke', () => {
    it('ends a key, notes the time, and changes nothing else', async () => {
      const { id, key } = await manager.issue({ name: 'anna', lifetimeMs: HOUR });
      const before = await onRecord(id);
      time += 10;
      await manager.revoke(id);
      expect(await onRecord(id)).to.deep.equal({ ...before, revokedAt: later(10) });
      expect(await registry.verify(key)).to.equal(undefined);
    });

    it('keeps the time of the first revocation, and writes nothing more', async () => {
      const { id } = await manager.issue({ name: 'anna', lifetimeMs: 1 });
      time += 10;
      await manager.revoke(id);
      await managerWith({ replace: async () => Promise.reject(new Error('it writes')) }).revoke(id);
      expect(await onRecord(id)).to.deep.include({ expiresAt: later(1), revokedAt: later(10) });
    });

    it('is not lost if another call changes the key in the meantime', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      let isFirst = true;
      const overtaken = managerWith({
        replace: async (before, after) => {
          if (isFirst) await manager.rotate(id, { overlapMs: HOUR });
          isFirst = false;
          return registry.replace(before, after);
        },
      });
      await overtaken.revoke(id);
      expect(await onRecord(id)).to.deep.include({ expiresAt: later(HOUR), revokedAt: later(0) });
    });
  });

  describe('concurrent changes', () => {
    let old: IssuedApiKey;

    beforeEach(async () => {
      old = await manager.issue({ name: 'anna' });
    });

    const works = async ({ key }: IssuedApiKey): Promise<boolean> => (await registry.verify(key)) !== undefined;

    it('give a key that is rotated twice without an overlap one successor', async () => {
      const rotate = async () => manager.rotate(old.id, { overlapMs: 0 });
      const rotations = await Promise.allSettled([rotate(), rotate()]);
      const [successor] = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const [refused] = rotations.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      expect(refused).to.have.property('code', 'api_key_not_active');
      expect([await works(old), await works(successor as IssuedApiKey)]).to.deep.equal([false, true]);
      expect(await listed()).to.have.length(2);
    });

    it('let a key that is rotated with several overlaps expire after the shortest, and every successor work', async () => {
      const overlaps = [3 * HOUR, HOUR, 2 * HOUR];
      const successors = await Promise.all(overlaps.map(async (overlapMs) => manager.rotate(old.id, { overlapMs })));
      for (const each of [old, ...successors]) expect(await works(each)).to.equal(true);
      expect(await onRecord(old.id)).to.deep.include({ expiresAt: later(HOUR) });
    });

    it('revoke a key that is rotated at the same time, whichever comes first', async () => {
      const calls = [async () => manager.rotate(old.id, { overlapMs: HOUR }), async () => manager.revoke(old.id)];
      for (const inOrder of [calls, calls.toReversed()]) {
        old = await manager.issue({ name: 'anna' });
        for (const outcome of await Promise.allSettled(inOrder.map(async (call) => call()))) {
          if (outcome.status === 'rejected') expect(outcome.reason).to.have.property('code', 'api_key_not_active');
        }
        expect(await works(old)).to.equal(false);
      }
    });
  });

  it('a rotation can be repeated if the process ended before it added the successor', async () => {
    const old = await manager.issue({ name: 'anna' });
    const dying = managerWith({ add: async () => Promise.reject(new Error('the process has ended')) });
    const rejection = await rejectionOf(dying.rotate(old.id, { overlapMs: HOUR }));
    expect(rejection).to.have.property('message', 'the process has ended');
    const interrupted = await onRecord(old.id);
    expect(interrupted).to.deep.include({ expiresAt: later(HOUR) });
    await manager.rotate(old.id, { overlapMs: 2 * HOUR });
    expect(await onRecord(old.id), 'the second rotation has put off its expiry').to.deep.equal(interrupted);
    expect(await listed()).to.have.length(2);
  });
});
