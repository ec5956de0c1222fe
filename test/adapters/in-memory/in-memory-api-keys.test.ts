import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';

const run = promisify(execFile);
const MODULE = new URL('../../../src/adapters/in-memory/in-memory-api-keys.ts', import.meta.url).href;

/** Tells which of two keys are in the heap: one that the adapter was given and has verified, and one that is held. */
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

describe('InMemoryApiKeys', () => {
  verifyApiKeysContract({
    issueKeys: (names) => {
      const issued = names.map((name) => ({ name, key: randomUUID() }));
      return { apiKeys: new InMemoryApiKeys(issued), keys: issued.map(({ key }) => key) };
    },
  });

  it('holds no key in memory', async function () {
    this.timeout(30_000);
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT]);
    expect(JSON.parse(stdout)).to.deep.equal({ name: 'anna', given: false, held: true });
  });
});
