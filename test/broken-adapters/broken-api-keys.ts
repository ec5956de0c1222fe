import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ApiKeys } from '../../src/domain/api-keys/api-keys.js';

/** An active key, and whom it belongs to. */
export interface Issued {
  readonly name: string;
  readonly key: string;
}

/** API keys that break one sentence of the port, and a check of the suite that must notice. */
export interface BrokenApiKeys {
  readonly create: (issued: readonly Issued[]) => ApiKeys;
  readonly caughtBy: string;
}

const NEARLY = 'verify resolves to undefined for a string that is almost a key';

/** Accepts a presented key if `equal` says that it is an active one. */
function comparing(equal: (presented: string, key: string) => boolean): BrokenApiKeys['create'] {
  return (issued) => ({
    verify: async (presented) => {
      const found = issued.find(({ key }) => equal(presented, key));
      return found && { name: found.name };
    },
  });
}

/** API keys that accept too much, too little, or the wrong principal, by their fault. */
export const brokenApiKeys: Readonly<Record<string, BrokenApiKeys>> = {
  'ignore the case': { create: comparing((a, b) => a.toLowerCase() === b.toLowerCase()), caughtBy: NEARLY },
  'trim the presented key': { create: comparing((a, b) => a.trim() === b), caughtBy: NEARLY },
  'compare only the beginning': { create: comparing((a, b) => a.slice(0, 8) === b.slice(0, 8)), caughtBy: NEARLY },
  'accept any beginning of a key': { create: comparing((a, b) => b.startsWith(a)), caughtBy: NEARLY },
  'stop at U+0000': { create: comparing((a, b) => a.split('\0', 1)[0] === b), caughtBy: NEARLY },
  'accept a digest of a key': {
    create: comparing((a, b) => a === b || a === createHash('sha256').update(b).digest('hex')),
    caughtBy: 'verify resolves to undefined for the digest of a key',
  },
  'accept everything': {
    create: () => ({ verify: async () => ({ name: 'anna' }) }),
    caughtBy: 'verify resolves to undefined for a string that is not a key',
  },
  'accept everything if no key is active': {
    create: (issued) => ({
      verify: async (key) => (issued.length === 0 ? { name: 'anyone' } : issued.find((one) => one.key === key)),
    }),
    caughtBy: 'verify resolves to undefined if no key is active',
  },
  'accept the names of inherited members': {
    create: (issued) => {
      const principals: Record<string, Issued> = Object.fromEntries(issued.map((one) => [one.key, one]));
      return { verify: async (key) => principals[key] };
    },
    caughtBy: 'verify resolves to undefined for a string that is not a key',
  },
  'accept nothing': {
    create: () => ({ verify: async () => undefined }),
    caughtBy: 'verify resolves to the principal that the key belongs to',
  },
  'take every key for that of the first principal': {
    create: (issued) => ({
      verify: async (key) => (issued.some((one) => one.key === key) ? issued[0] : undefined),
    }),
    caughtBy: 'verify resolves to the principal that the key belongs to',
  },
  'hold one key for each name': {
    create: (issued) => {
      const byName = new Map(issued.map(({ name, key }) => [name, key]));
      return {
        verify: async (presented) => {
          for (const [name, key] of byName) if (key === presented) return { name };
          return undefined;
        },
      };
    },
    caughtBy: 'verify tells apart two keys of the same name',
  },
  'accept a key once': {
    create: (issued) => {
      const left = new Map(issued.map((one) => [one.key, one]));
      return {
        verify: async (key) => {
          const found = left.get(key);
          left.delete(key);
          return found;
        },
      };
    },
    caughtBy: 'verify resolves to the same answer each time',
  },
  'mix up concurrent calls': {
    create: (issued) => {
      let presented: string;
      return {
        verify: async (key) => {
          presented = key;
          await setImmediate();
          return issued.find((one) => one.key === presented);
        },
      };
    },
    caughtBy: 'verify answers any number of concurrent calls',
  },
  'reject if no key matches': {
    create: (issued) => ({
      verify: async (key) => {
        const found = issued.find((one) => one.key === key);
        if (found === undefined) throw new Error('unknown key');
        return found;
      },
    }),
    caughtBy: 'verify resolves to undefined if no key is active',
  },
  'resolve to null if no key matches': {
    create: (issued) => ({
      verify: async (key) => issued.find((one) => one.key === key) ?? (null as unknown as undefined),
    }),
    caughtBy: 'verify resolves to undefined if no key is active',
  },
};
