import { expect } from 'chai';
import {
  issueApiKey,
  KEY_LIFETIME_MAX_MS,
  KEY_RANDOM_BYTES,
  revokeApiKey,
  rotateApiKey,
  stateOfApiKey,
  type ApiKeyRequest,
} from '../../../src/domain/api-keys/api-key.js';
import { isApiKeyFormat } from '../../../src/domain/api-keys/api-key-format.js';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const HOUR = 3_600_000;

function later(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

function material(now = NOW, filling = 0) {
  return { now, random: new Uint8Array(KEY_RANDOM_BYTES).fill(filling) };
}

describe('issueApiKey', () => {
  it('makes the id and the key from different bytes', () => {
    const { random } = material();
    const { id, key } = issueApiKey({ name: 'anna' }, material());
    expect(isApiKeyFormat(key)).to.equal(true);
    const otherId = issueApiKey({ name: 'anna' }, { now: NOW, random: random.with(3, 1) });
    const otherKey = issueApiKey({ name: 'anna' }, { now: NOW, random: random.with(4 + 31, 1) });
    expect([otherId.id === id, otherId.key === key]).to.deep.equal([false, true]);
    expect([otherKey.id === id, otherKey.key === key]).to.deep.equal([true, false]);
  });

  it('makes ids of 16 digits that ascend with the time, whatever the bytes', () => {
    const times = [new Date(0), new Date(35), NOW, later(1), later(1000 * 365 * 24 * HOUR)];
    const ids = times.map((now, i) => issueApiKey({ name: 'anna' }, material(now, 255 - i)).id);
    expect(ids.toSorted()).to.deep.equal(ids);
    for (const id of ids) expect(id).to.match(/^[0-9a-z]{16}$/);
    expect(issueApiKey({ name: 'anna' }, material(new Date(35), 0)).id).to.equal('00000000z0000000');
  });

  it('accepts the shortest and the longest lifetime', () => {
    for (const lifetimeMs of [1, KEY_LIFETIME_MAX_MS]) {
      const { expiresAt } = issueApiKey({ name: 'anna', lifetimeMs }, material());
      expect(expiresAt).to.deep.equal(later(lifetimeMs));
    }
  });

  it('throws invalid_key_request for what is not an object', () => {
    for (const request of [null, undefined, 'anna', 7]) {
      expect(() => issueApiKey(request as unknown as ApiKeyRequest, material()))
        .to.throw('a request for an API key must be an object')
        .with.property('code', 'invalid_key_request');
    }
  });

  it('throws a TypeError for too few random bytes', () => {
    const random = new Uint8Array(KEY_RANDOM_BYTES - 1);
    expect(() => issueApiKey({ name: 'anna' }, { now: NOW, random })).to.throw(TypeError, 'random must be 36 bytes');
  });
});

describe('rotateApiKey', () => {
  const old = issueApiKey({ name: 'anna', lifetimeMs: HOUR }, material());

  it('lets the old key expire when it would have anyway, if that is sooner', () => {
    const { expiresAt } = rotateApiKey(old, { overlapMs: HOUR }, material(later(5000), 1));
    expect(expiresAt).to.deep.equal(later(HOUR));
  });
});

describe('stateOfApiKey', () => {
  const key = issueApiKey({ name: 'anna', lifetimeMs: HOUR }, material());

  it('is active until the very time of its expiry', () => {
    expect(stateOfApiKey(key, later(HOUR - 1))).to.equal('active');
    expect(stateOfApiKey(key, later(HOUR))).to.equal('expired');
  });

  it('is revoked for good, even beyond the expiry', () => {
    for (const now of [NOW, later(2 * HOUR)]) expect(stateOfApiKey(revokeApiKey(key, NOW), now)).to.equal('revoked');
  });
});
