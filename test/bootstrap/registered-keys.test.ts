import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { allKeysOf } from '../../src/bootstrap/registered-keys.js';

describe('allKeysOf', () => {
  it('gives every key of a registry that lists them on several pages, the oldest first', async () => {
    const registry = new InMemoryApiKeys();
    const names = Array.from({ length: 250 }, (_, i) => `key ${i}`);
    for (const name of names) await registry.create({ name });
    const listed: string[] = [];
    for await (const { name } of allKeysOf(registry)) listed.push(name);
    expect(listed).to.deep.equal(names);
  });
});
