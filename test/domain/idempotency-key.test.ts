import { expect } from 'chai';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { isIdempotencyKey, IDEMPOTENCY_KEY_MAX_LENGTH, replayCreation } from '../../src/domain/idempotency-key.js';

describe('isIdempotencyKey', () => {
  it('accepts 1 to 1,024 code units of well-formed Unicode without U+0000', () => {
    const most = IDEMPOTENCY_KEY_MAX_LENGTH;
    for (const key of ['x', ' ', '\u0001', 'x'.repeat(most), '😀'.repeat(most / 2)]) {
      expect(isIdempotencyKey(key), JSON.stringify(key)).to.equal(true);
    }
    const others = ['', 'x'.repeat(most + 1), '😀'.repeat(most / 2 + 1), 'x\ud83d', 'x\0'];
    for (const value of [...others, 7, null, ['x'], new String('x')]) {
      expect(isIdempotencyKey(value), JSON.stringify(value)).to.equal(false);
    }
  });
});

describe('replayCreation', () => {
  it('throws idempotency_key_reused for another animal, which reveals nothing about the first', () => {
    const first = { id: 1n, name: 'Rex', categoryId: 7n };
    expect(() => replayCreation(first, { ...first, name: 'Tom' }))
      .to.throw(AnimalStoreError, /^the idempotency key belongs to the creation of another animal$/)
      .with.property('code', 'idempotency_key_reused');
  });
});
