import { expect } from 'chai';
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { apiKeysChecks, type ApiKeysContractOptions } from '../contracts/api-keys-contract.js';
import { fail, failingChecks, itCatches, type Broken } from './breaking.js';

/** An active key, and whom it belongs to. */
interface Issued {
  readonly name: string;
  readonly key: string;
}

/** Makes API keys of which these are active. */
type CreateApiKeys = (issued: readonly Issued[]) => ApiKeys;

/** Accepts a presented key if `find` finds a principal. */
function finding(find: (issued: readonly Issued[], presented: string) => unknown): CreateApiKeys {
  return (issued) => ({ verify: async (presented) => find(issued, presented) as ReturnType<ApiKeys['verify']> });
}

/** Accepts a presented key if `equal` says that it is an active one. */
function comparing(equal: (presented: string, key: string) => boolean): CreateApiKeys {
  return finding((issued, presented) => issued.find(({ key }) => equal(presented, key)));
}

function ofKey(issued: readonly Issued[], presented: string): Issued | undefined {
  return issued.find(({ key }) => key === presented);
}

/** API keys that accept too much, too little, or the wrong principal. */
const brokenApiKeys: Broken<CreateApiKeys> = {
  'verify resolves to undefined for a string that is almost a key': {
    'ignore the case': comparing((a, b) => a.toLowerCase() === b.toLowerCase()),
    'trim the presented key': comparing((a, b) => a.trim() === b),
    'compare only the beginning': comparing((a, b) => a.slice(0, 8) === b.slice(0, 8)),
    'accept any beginning of a key': comparing((a, b) => b.startsWith(a)),
    'stop at U+0000': comparing((a, b) => a.split('\0', 1)[0] === b),
  },
  'verify resolves to undefined for the digest of a key': {
    'accept a digest of a key': comparing((a, b) => a === b || a === createHash('sha256').update(b).digest('hex')),
  },
  'verify resolves to undefined for a string that is not a key': {
    'accept everything': finding(() => ({ name: 'anna' })),
    'accept the names of inherited members': finding(
      (issued, presented) => Object.fromEntries(issued.map((one) => [one.key, one]))[presented],
    ),
  },
  'verify resolves to undefined if no key is active': {
    'accept everything if no key is active': finding((issued, presented) =>
      issued.length === 0 ? { name: 'anyone' } : ofKey(issued, presented),
    ),
    'reject if no key matches': finding((issued, presented) => ofKey(issued, presented) ?? fail()),
    'resolve to null if no key matches': finding((issued, presented) => ofKey(issued, presented) ?? null),
  },
  'verify resolves to the principal that the key belongs to, each time': {
    'accept nothing': finding(() => undefined),
    'take every key for that of the first principal': finding((issued, presented) =>
      ofKey(issued, presented) === undefined ? undefined : issued[0],
    ),
    'hold one key for each name': finding((issued, presented) => {
      const byName = new Map(issued.map((one) => [one.name, one]));
      return ofKey([...byName.values()], presented);
    }),
    'accept a key once': (issued) => {
      const left = new Map(issued.map((one) => [one.key, one]));
      return {
        verify: async (key) => {
          const found = left.get(key);
          left.delete(key);
          return found;
        },
      };
    },
  },
  'verify answers any number of concurrent calls': {
    'mix up concurrent calls': (issued) => {
      let presented: string;
      return {
        verify: async (key) => {
          presented = key;
          await setImmediate();
          return ofKey(issued, presented);
        },
      };
    },
  },
};

/** Issues new keys for the suite. */
function issuing(create: CreateApiKeys): ApiKeysContractOptions['issueKeys'] {
  return (names) => {
    const issued = names.map((name) => ({ name, key: randomUUID() }));
    return { apiKeys: create(issued), keys: issued.map(({ key }) => key) };
  };
}

describe('the contract suite of ApiKeys', () => {
  const failing = async (create: CreateApiKeys) => failingChecks(apiKeysChecks, () => issuing(create));

  it('passes sound API keys', async () => {
    expect(await failing((issued) => new InMemoryApiKeys(issued))).to.deep.equal([]);
  });

  itCatches('API keys', [brokenApiKeys], apiKeysChecks, failing);
});
