import { expect } from 'chai';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeyManager } from '../../../src/application/api-keys/api-key-manager.js';
import type { IssuedApiKey } from '../../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../../src/domain/api-keys/api-keys.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { except } from '../../support/except.js';
import { rejectionOf } from '../../support/rejection-of.js';

const HOUR = 3_600_000;

describe('concurrent changes of an API key', () => {
  let keys: InMemoryApiKeys;
  let manager: ApiKeyManager;
  let old: IssuedApiKey;

  beforeEach(async () => {
    keys = new InMemoryApiKeys();
    manager = apiKeyManagerOf(keys);
    old = await manager.issue({ name: 'anna' });
  });

  const works = async ({ key }: IssuedApiKey): Promise<boolean> => (await keys.verify(key)) !== undefined;
  const count = async (): Promise<number> => (await keys.list({ limit: 100 })).keys.length;

  it('give a key that is rotated twice without an overlap one successor', async () => {
    const rotations = [manager, apiKeyManagerOf(keys)].map(async (each) => each.rotate(old.id, { overlapMs: 0 }));
    const [first, second] = await Promise.allSettled(rotations);
    expect([first?.status, second?.status]).to.have.members(['fulfilled', 'rejected']);
    const refused = first?.status === 'rejected' ? first : (second as PromiseRejectedResult);
    expect(refused.reason).to.have.property('code', 'api_key_not_in_force');
    const successor = first?.status === 'fulfilled' ? first : (second as PromiseFulfilledResult<IssuedApiKey>);
    expect([await works(old), await works(successor.value), await count()]).to.deep.equal([false, true, 2]);
  });

  it('let a key that is rotated with several overlaps expire after the shortest, and every successor work', async () => {
    const before = Date.now();
    const overlaps = [3 * HOUR, HOUR, 2 * HOUR];
    const successors = await Promise.all(overlaps.map(async (overlapMs) => manager.rotate(old.id, { overlapMs })));
    for (const each of [old, ...successors]) expect(await works(each)).to.equal(true);
    const overlap = Number((await keys.find(old.id))?.expiresAt) - before;
    expect(overlap).to.be.within(HOUR, 2 * HOUR - 1);
  });

  for (const order of [
    ['rotate', 'revoke'],
    ['revoke', 'rotate'],
  ]) {
    it(`revoke a key that is rotated at the same time: ${order.join(', then ')}`, async () => {
      const call = {
        rotate: async () => manager.rotate(old.id, { overlapMs: HOUR }),
        revoke: async () => manager.revoke(old.id),
      };
      const calls = await Promise.allSettled(order.map(async (name) => call[name as keyof typeof call]()));
      for (const each of calls) {
        if (each.status === 'rejected') expect(each.reason).to.have.property('code', 'api_key_not_in_force');
      }
      expect((await keys.find(old.id))?.revokedAt).to.be.instanceOf(Date);
      expect(await works(old)).to.equal(false);
    });
  }

  it('can be repeated if a process ended before it added the successor', async () => {
    const dying = except<ApiKeyRegistry>(keys, { add: async () => Promise.reject(new Error('the process has ended')) });
    const rejection = await rejectionOf(apiKeyManagerOf(dying).rotate(old.id, { overlapMs: HOUR }));
    expect(rejection).to.have.property('message', 'the process has ended');
    expect(await works(old)).to.equal(true);
    const interrupted = await keys.find(old.id);
    expect(await works(await manager.rotate(old.id, { overlapMs: 2 * HOUR }))).to.equal(true);
    expect(await keys.find(old.id), 'the second rotation has put off its expiry').to.deep.equal(interrupted);
    expect(await count()).to.equal(2);
  });
});
