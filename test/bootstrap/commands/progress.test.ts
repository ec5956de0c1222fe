import { expect } from 'chai';
import { leftText } from '../../../src/bootstrap/commands/progress.js';

describe('the time that an import has left', () => {
  const texts = {
    'is in seconds up to 99': [99, '99 s left'],
    'is in minutes from 100 seconds': [100, '2 min left'],
    'is in minutes up to 99 minutes': [5940, '99 min left'],
    'is in hours from 100 minutes': [6000, '2 h left'],
    'is in whole hours': [36_000, '10 h left'],
    'is empty as long as it is unknown': [Infinity, ''],
  } as const;
  for (const [title, [seconds, text]] of Object.entries(texts)) {
    it(title, () => {
      expect(leftText(seconds)).to.equal(text);
    });
  }
});
