import { expect } from 'chai';
import { outputOfScript } from '../../support/run-script.js';

const MODULE = new URL('../../../src/adapters/in-memory/in-memory-api-keys.ts', import.meta.url).href;

/** Reports which of two keys are in the heap: one that the adapter has received and verified, and one that the test holds. */
const SCRIPT = `
  import { randomBytes } from 'node:crypto';
  import { text } from 'node:stream/consumers';
  import { getHeapSnapshot } from 'node:v8';
  import { InMemoryApiKeys } from '${MODULE}';
  const [given, held] = [randomBytes(24), randomBytes(24)];
  const holder = { key: held.toString('hex') };
  const keys = new InMemoryApiKeys([{ name: 'anna', key: given.toString('hex') }]);
  await keys.verify(given.toString('hex'));
  const heap = await text(getHeapSnapshot());
  const { name } = await keys.verify(given.toString('hex'));
  console.log(JSON.stringify({ name, given: heap.includes(given.toString('hex')), held: heap.includes(holder.key) }));
`;

describe('InMemoryApiKeys in the heap of a process', () => {
  it('contains no key in clear text', async () => {
    expect(JSON.parse(await outputOfScript(SCRIPT))).to.deep.equal({ name: 'anna', given: false, held: true });
  });
});
