import { expect } from 'chai';
import { cpuTimeOf } from '../../../support/cpu-time.js';

/** What a call may take, in milliseconds of CPU time. */
const LIMIT = 5;

describe('isUtf8Json', () => {
  for (const [what, argument] of Object.entries({
    'empty parameters': `'application/json' + '; '.repeat(60) + 'x'`,
    blanks: `'application/json;' + ' '.repeat(15_000) + 'x'`,
  })) {
    it(`refuses ${what} before a malformed parameter at once`, async function () {
      this.timeout(20_000);
      const time = await cpuTimeOf({ from: 'src/adapters/http/json/media-type.ts', name: 'isUtf8Json', argument });
      expect(time).to.be.below(LIMIT);
    });
  }
});
