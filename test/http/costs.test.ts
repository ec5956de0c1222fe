import { expect } from 'chai';
import { Child } from '../support/child.js';
import { NOT_OF_CLIENTS, READERS } from './costs/readers.js';
import { readingsInSources } from './costs/readings.js';

/** How long the measurements of one text may take on a busy machine, in milliseconds. Alone, they take a tenth of it. */
const LIMIT = 240_000;

describe('what a client sends', function () {
  this.timeout(LIMIT);

  for (const { text } of READERS) {
    it(`costs in proportion to its length at worst: ${text}`, async function () {
      const child = Child.startNode(['test/http/costs/measure.ts', text]);
      // The test would end by its time-out, too, but would not name the shape.
      const timer = setTimeout(() => child.kill('SIGKILL'), 0.9 * LIMIT);
      const { code } = await child.exited;
      clearTimeout(timer);
      expect(code, `${child.stderr}${child.stdout.trimEnd().split('\n').at(-1)}`).to.equal(0);
    });
  }

  it('is read by nothing in the sources that is not measured here', () => {
    const isListed = (reading: string): boolean =>
      READERS.some(({ readings }) => readings.includes(reading)) ||
      Object.keys(NOT_OF_CLIENTS).some((name) => name === reading || (name.endsWith('/') && reading.startsWith(name)));
    const found = readingsInSources();
    expect(found.filter((reading) => !isListed(reading))).to.deep.equal([]);
    const listed = [...READERS.flatMap(({ readings }) => readings), ...Object.keys(NOT_OF_CLIENTS)];
    expect(listed.filter((name) => !found.some((reading) => reading.startsWith(name)))).to.deep.equal([]);
  });
});
