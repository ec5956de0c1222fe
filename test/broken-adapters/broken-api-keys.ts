import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { byFault } from './by-fault.js';

/** An active key, and whom it belongs to. */
export interface Issued {
  readonly name: string;
  readonly key: string;
}

/** Makes API keys of which these are active. */
export type CreateApiKeys = (issued: readonly Issued[]) => ApiKeys;

/** Accepts a presented key if `equal` says that it is an active one. */
function comparing(equal: (presented: string, key: string) => boolean): CreateApiKeys {
  return finding((issued, presented) => issued.find(({ key }) => equal(presented, key)));
}

/** Accepts a presented key if `find` finds a principal. */
function finding(
  find: (issued: readonly Issued[], presented: string) => { readonly name: string } | undefined,
): CreateApiKeys {
  return (issued) => ({
    verify: async (presented) => {
      const found = find(issued, presented);
      return found && { name: found.name };
    },
  });
}

const ofKey = (issued: readonly Issued[], presented: string): Issued | undefined =>
  issued.find(({ key }) => key === presented);

/** API keys that accept too much, too little, or the wrong principal, by their fault. */
export const brokenApiKeys = byFault<CreateApiKeys>({
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
    'accept the names of inherited members': (issued) => {
      const principals: Record<string, Issued> = Object.fromEntries(issued.map((one) => [one.key, one]));
      return { verify: async (key) => principals[key] };
    },
  },
  'verify resolves to undefined if no key is active': {
    'accept everything if no key is active': finding((issued, presented) =>
      issued.length === 0 ? { name: 'anyone' } : ofKey(issued, presented),
    ),
    'reject if no key matches': finding((issued, presented) => {
      const found = ofKey(issued, presented);
      if (found === undefined) throw new Error('unknown key');
      return found;
    }),
    'resolve to null if no key matches': (issued) => ({
      verify: async (key) => ofKey(issued, key) ?? (null as unknown as undefined),
    }),
  },
  'verify resolves to the principal that the key belongs to': {
    'accept nothing': finding(() => undefined),
    'take every key for that of the first principal': finding((issued, presented) =>
      ofKey(issued, presented) === undefined ? undefined : issued[0],
    ),
  },
  'verify tells apart two keys of the same name': {
    'hold one key for each name': finding((issued, presented) => {
      const byName = new Map(issued.map((one) => [one.name, one]));
      return ofKey([...byName.values()], presented);
    }),
  },
  'verify resolves to the same answer each time': {
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
});
