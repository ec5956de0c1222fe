import { expect } from 'chai';
import { addToList } from '../../../src/adapters/http/answer.js';

describe('a value that is added to a list', () => {
  for (const [where, headers, expected] of [
    ['in a new field if there is none', ['ETag', '"a"'], ['ETag', '"a"', 'Vary', 'Origin']],
    [
      'behind the value of the first field',
      ['Vary', 'Accept', 'ETag', '"a"'],
      ['Vary', 'Accept, Origin', 'ETag', '"a"'],
    ],
    ['in a new field if another one has its name as a value', ['X', 'Vary'], ['X', 'Vary', 'Vary', 'Origin']],
  ] as const) {
    it(`stands ${where}`, () => {
      const complete: string[] = [...headers];
      addToList(complete, 'Vary', 'Origin');
      expect(complete).to.deep.equal(expected);
    });
  }
});
