import { expect } from 'chai';
import { isUtf8Json } from '../../../../src/adapters/http/json/media-type.js';
import { cpuTimeOf } from '../../../support/cpu-time.js';

/** What a call may take, in milliseconds of CPU time. */
const LIMIT = 5;

describe('isUtf8Json', () => {
  for (const type of [
    'application/json;charset=utf-8',
    'application/json;  charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf-8; a="; charset=utf-16"',
    String.raw`application/json; charset=utf-8; a="\"; charset=utf-16"`,
  ]) {
    it(`accepts ${type}`, () => {
      expect(isUtf8Json(type)).to.equal(true);
    });
  }

  for (const second of [
    ';charset=utf-8',
    '; charset=utf-8',
    ';  charset=utf-8',
    ';a=1;CHARSET=utf-8',
    '; charset=""',
  ]) {
    it(`refuses a second charset: ${second}`, () => {
      expect(isUtf8Json(`application/json; charset=utf-8${second}`)).to.equal(false);
    });
  }

  for (const [what, argument] of Object.entries({
    'empty parameters': `'application/json' + '; '.repeat(60) + 'x'`,
    blanks: `'application/json;' + ' '.repeat(15_000) + 'x'`,
  })) {
    it(`refuses ${what} before a malformed parameter immediately`, async function () {
      this.timeout(20_000);
      const time = await cpuTimeOf({ from: 'src/adapters/http/json/media-type.ts', name: 'isUtf8Json', argument });
      expect(time).to.be.below(LIMIT);
    });
  }
});
