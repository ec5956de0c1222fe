import { expect } from 'chai';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { isIdempotencyKey, IDEMPOTENCY_KEY_MAX_LENGTH, replayCreation } from '../../src/domain/idempotency-key.js';

describe('isIdempotencyKey', () => {
  const keys = {
    'one code unit': 'x',
    'a space': ' ',
    'as many code units as may be': 'x'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH),
    'letters beyond the basic plane': '😀'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH / 2),
    'a control character': '\u0001',
  };
  for (const [what, key] of Object.entries(keys)) {
    it(`accepts ${what}`, () => expect(isIdempotencyKey(key)).to.equal(true));
  }

  const others = {
    'an empty text': '',
    'one code unit too many': 'x'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH + 1),
    'one letter too many beyond the basic plane': '😀'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH / 2 + 1),
    'a lone surrogate': 'x\ud83d',
    'U+0000': 'x\0',
    'a number': 7,
    null: null,
    'an array of a text': ['x'],
    'a String object': new String('x'),
  };
  for (const [what, value] of Object.entries(others)) {
    it(`refuses ${what}`, () => expect(isIdempotencyKey(value)).to.equal(false));
  }
});

describe('replayCreation', () => {
  it('throws idempotency_key_reused for another animal, which reveals nothing about the first', () => {
    const first = { id: 1n, name: 'Rex', categoryId: 7n };
    expect(() => replayCreation(first, { ...first, name: 'Tom' }))
      .to.throw(AnimalStoreError, /^the idempotency key belongs to the creation of another animal$/)
      .with.property('code', 'idempotency_key_reused');
  });
});
