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
} from '../../../src/domain/api-keys/api-key.js';
import type { ApiKeyQuery, ApiKeyRegistry } from '../../../src/domain/api-keys/api-keys.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { except } from '../../support/except.js';
import { rejectionOf } from '../../support/rejection-of.js';

/** The manager's clock stands still, at the time of the start, because `verify` reads the clock of the machine. */
const START = Date.now();
const HOUR = 3_600_000;
const NO_NAMES = [
  '',
  'a\nb',
  'a\0b',
  '\ud800',
  '\u200b',
  'a\u2028b',
  'a\u2029b',
  'x'.repeat(257),
  null,
  undefined,
  7,
  ['anna'],
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
      expect(added).to.deep.equal([{ ...apiKey, sha256: hash('sha256', key) }]);
    });

    it('makes a key that expires after its lifetime', async () => {
      const { expiresAt, lifetimeMs } = await manager.issue({ name: 'anna', lifetimeMs: HOUR });
      expect({ expiresAt, lifetimeMs }).to.deep.equal({ expiresAt: later(HOUR), lifetimeMs: HOUR });
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
      expect(await listed()).to.deep.equal([]);
    });

    it('names every fault', async () => {
      const request = { name: '', lifetimeMs: 0 };
      await expectRefusal(manager.issue(request), 'invalid_key_request', ['name', 'lifetimeMs']);
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

    it('shows expired and revoked keys too', async () => {
      const expired = await manager.issue({ name: 'anna', lifetimeMs: 1 });
      time++;
      const revoked = await manager.issue({ name: 'ben' });
      await manager.revoke(revoked.id);
      expect((await listed()).map(({ id }) => id)).to.deep.equal([expired.id, revoked.id]);
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
    it('makes another key for the same name, which works', async () => {
      const old = await manager.issue({ name: 'anna' });
      const successor = await manager.rotate(old.id, { overlapMs: HOUR });
      expect(await registry.verify(successor.key)).to.deep.equal({ name: 'anna' });
      expect([successor.id, successor.key]).not.to.include.members([old.id, old.key]);
    });

    it('keeps the old key active for the overlap, and changes nothing else about it', async () => {
      const { id } = await manager.issue({ name: 'anna', lifetimeMs: 2 * HOUR });
      const before = await onRecord(id);
      time += 1000;
      await manager.rotate(id, { overlapMs: HOUR });
      expect(await onRecord(id)).to.deep.equal({ ...before, expiresAt: later(1000 + HOUR) });
    });

    it('gives the new key the lifetime of the old one', async () => {
      const { id } = await manager.issue({ name: 'anna', lifetimeMs: 2 * HOUR });
      for (const overlapMs of [HOUR, 1000]) {
        time += 10;
        const { lifetimeMs, expiresAt } = await manager.rotate(id, { overlapMs });
        expect({ lifetimeMs, expiresAt }).to.deep.equal({ lifetimeMs: 2 * HOUR, expiresAt: new Date(time + 2 * HOUR) });
      }
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
        await expectRefusal(manager.rotate(id, { overlapMs: HOUR }), 'api_key_not_in_force');
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

    it('sets the expiry of the old key before it adds the new one', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      const calls: string[] = [];
      const watched = managerWith({
        replace: async (before, after) => calls.push('replace') > 0 && registry.replace(before, after),
        add: async (record) => calls.push('add') > 0 && registry.add(record),
      });
      await watched.rotate(id, { overlapMs: 0 });
      expect(calls).to.deep.equal(['replace', 'add']);
    });

    it('checks a key again that another call has changed in the meantime', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      const overtaken = managerWith({
        replace: async (before, after) => {
          await manager.revoke(id);
          return registry.replace(before, after);
        },
      });
      await expectRefusal(overtaken.rotate(id, { overlapMs: HOUR }), 'api_key_not_in_force');
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

    it('writes nothing about a key that was revoked before', async () => {
      const { id } = await manager.issue({ name: 'anna' });
      await manager.revoke(id);
      await managerWith({ replace: async () => Promise.reject(new Error('it writes')) }).revoke(id);
    });

    it('revokes a key that has expired', async () => {
      const { id } = await manager.issue({ name: 'anna', lifetimeMs: 1 });
      time += 10;
      await manager.revoke(id);
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
});
