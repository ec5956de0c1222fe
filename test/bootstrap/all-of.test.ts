import { expect } from 'chai';
import { allOf } from '../../src/bootstrap/all-of.js';

describe('all of some listeners', () => {
  it('are called in their order, with the same value', () => {
    const calls: string[] = [];
    const all = allOf<number>(
      (value) => calls.push(`first ${value}`),
      undefined,
      (value) => calls.push(`second ${value}`),
    );
    all?.(7);
    expect(calls).to.deep.equal(['first 7', 'second 7']);
  });
});
