import { setImmediate } from 'node:timers/promises';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { stateOfApiKey, type ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyRegistry, ApiKeys, Principal } from '../../src/domain/api-keys/api-keys.js';
import type { CreatedApiKeyRegistry } from '../contracts/api-key-registry-reopen-checks.js';
import { byFault, type ByFault } from './by-fault.js';

type Methods = Partial<ApiKeyRegistry & ApiKeys>;

/** Makes registries that are sound except for the given methods. */
function vary(methods: (sound: InMemoryApiKeys) => Methods): () => CreatedApiKeyRegistry {
  return () => {
    const sound = new InMemoryApiKeys();
    const keys = {
      add: sound.add.bind(sound),
      list: sound.list.bind(sound),
      find: sound.find.bind(sound),
      replace: sound.replace.bind(sound),
      verify: sound.verify.bind(sound),
      ...methods(sound),
    };
    return { registry: keys, apiKeys: keys };
  };
}

/** Makes registries that add other records than they are given. */
function adding(change: (record: ApiKeyRecord) => object): () => CreatedApiKeyRegistry {
  return vary((sound) => ({ add: async (record) => sound.add(change(record) as ApiKeyRecord) }));
}

/** Makes registries that find other records than they have. */
function finding(change: (record: ApiKeyRecord) => object): () => CreatedApiKeyRegistry {
  return vary((sound) => ({
    find: async (id) => {
      const record = await sound.find(id);
      return record && (change(record) as ApiKeyRecord);
    },
  }));
}

/** Makes registries whose lists differ from their records. */
function listing(change: (page: ApiKeyPage) => object): () => CreatedApiKeyRegistry {
  return vary((sound) => ({ list: async (query) => change(await sound.list(query)) as ApiKeyPage }));
}

/** Makes registries that replace a record if `matches` says so. */
function replacingIf(matches: (record: ApiKeyRecord, before: ApiKeyRecord) => boolean): () => CreatedApiKeyRegistry {
  return vary((sound) => ({
    replace: async (before, after) => {
      for (;;) {
        const record = await sound.find(before.id);
        if (record === undefined || !matches(record, before)) return false;
        if (await sound.replace(record, after)) return true;
      }
    },
  }));
}

const timeOf = (date: Date | undefined): number | undefined => date?.getTime();

async function allOf(registry: ApiKeyRegistry): Promise<readonly ApiKeyRecord[]> {
  return (await registry.list({ limit: 1000 })).keys;
}

/** Makes registries that compute every page from all of their records with `page`. */
function paging(page: (all: readonly ApiKeyRecord[], limit: number, after?: string) => ApiKeyPage) {
  return vary((sound) => ({ list: async ({ limit, after }) => page(await allOf(sound), limit, after) }));
}

const startOf = (all: readonly ApiKeyRecord[], after?: string): number => all.findIndex(({ id }) => id === after) + 1;

/** A page of records in a given order. */
function pageOf(sorted: readonly ApiKeyRecord[], limit: number, after?: string): ApiKeyPage {
  const start = startOf(sorted, after);
  const keys = sorted.slice(start, start + limit);
  return start + limit < sorted.length ? { keys, next: keys.at(-1)?.id ?? '' } : { keys };
}

const brokenAdds = byFault({
  'add keeps every member of a record, and invents none': {
    'forget the lifetime': adding(({ lifetimeMs: _lifetimeMs, ...record }) => record),
    'keep a lifetime in 32 bits': adding((record) =>
      record.lifetimeMs === undefined ? record : { ...record, lifetimeMs: record.lifetimeMs | 0 },
    ),
    'keep times to the second': adding((record) => ({
      ...record,
      createdAt: new Date(Math.floor(record.createdAt.getTime() / 1000) * 1000 - 1),
    })),
    'make up the lifetime of a record that has none': finding((record) =>
      record.expiresAt && !record.lifetimeMs
        ? { ...record, lifetimeMs: record.expiresAt.getTime() - record.createdAt.getTime() }
        : record,
    ),
    'find undefined for members that are left out': finding((record) => ({ expiresAt: undefined, ...record })),
  },
  'add does not make an inactive key work': {
    'forget the revocation of a record that is added': adding(({ revokedAt: _revokedAt, ...record }) => record),
  },
  'list shows the records of all keys, including expired and revoked ones': {
    'note the time at which a record is added as that of its creation': adding((record) => ({
      ...record,
      createdAt: new Date(),
    })),
  },
  'find resolves to the record with this id': {
    'keep the SHA-256 in upper case': finding((record) => ({ ...record, sha256: record.sha256.toUpperCase() })),
  },
  'add keeps a name exactly': {
    'keep the name in lower case': adding((record) => ({ ...record, name: record.name.toLowerCase() })),
    'normalise the name': adding((record) => ({ ...record, name: record.name.normalize('NFC') })),
  },
  'add keeps an id of one character and one of 64': {
    'cut an id to 32 characters': adding((record) => ({ ...record, id: record.id.slice(0, 32) })),
  },
  'add makes an active key work immediately': {
    'make a key work at its second look-up': vary((sound) => {
      const seen = new Set<string>();
      return {
        verify: async (key) => {
          if (seen.has(key)) return sound.verify(key);
          seen.add(key);
          return undefined;
        },
      };
    }),
  },
  'add makes a key work even if another was looked up before': {
    'judge keys that they have never seen by old ones': vary((sound) => {
      const seen = new Map<string, Principal>();
      return {
        verify: async (key) => {
          if (seen.size > 0) return seen.get(key);
          const principal = await sound.verify(key);
          if (principal !== undefined) seen.set(key, principal);
          return principal;
        },
      };
    }),
  },
  'a key stops working when it expires': {
    'accept expired keys': adding(({ expiresAt: _expiresAt, ...record }) => record),
  },
  'add adds records concurrently': {
    'lose records that are added concurrently': vary((sound) => {
      let isBusy = false;
      return {
        add: async (record) => {
          if (isBusy) return true;
          isBusy = true;
          await setImmediate();
          isBusy = false;
          return sound.add(record);
        },
      };
    }),
  },
  'add resolves to false for an id that is on record, and changes nothing': {
    'reject a record that is there already': vary((sound) => ({
      add: async (record) => {
        if (await sound.add(record)) return true;
        throw new Error('duplicate key');
      },
    })),
    'overwrite the record with the same id': vary((sound) => ({
      add: async (record) => {
        const { id, sha256 } = record;
        const present = await sound.find(id);
        return present ? sound.replace(present, { ...record, id, sha256 }) : sound.add(record);
      },
    })),
  },
  'add resolves to false for a SHA-256 that is on record, and changes nothing': {
    'add every record': vary((sound) => ({
      add: async (record) => {
        await sound.add(record);
        return true;
      },
    })),
  },
  'add adds only one of several concurrent records with the same id or SHA-256': {
    'look for the same id before they add, and not while they do': vary((sound) => ({
      add: async (record) => {
        if ((await sound.find(record.id)) !== undefined) return false;
        await setImmediate();
        await sound.add(record);
        return true;
      },
    })),
  },
  'add does not keep the object that it was given': {
    'keep the objects that they are given to add': vary((sound) => {
      const given = new Map<string, ApiKeyRecord>();
      return {
        add: async (record) => {
          given.set(record.id, record);
          return sound.add(record);
        },
        find: async (id) => given.get(id),
      };
    }),
  },
});

const brokenLists = byFault({
  'list is an empty page without next if there is no record': {
    'begin with a record of their own': () => {
      const keys = new InMemoryApiKeys([{ name: 'admin', key: 'a key that nobody asked for' }]);
      return { registry: keys, apiKeys: keys };
    },
  },
  'list leaves next out if the page ends with the last record': {
    'have an undefined next': listing(({ keys, next }) => ({ keys, next })),
    'have a next at every end': paging((all, limit, after) => {
      const start = startOf(all, after);
      const keys = all.slice(start, start + limit);
      const last = keys.at(-1);
      return last ? { keys, next: last.id } : { keys };
    }),
  },
  'list shows the records of all keys, including expired and revoked ones': {
    'list no SHA-256': listing((page) => ({
      ...page,
      keys: page.keys.map(({ sha256: _sha256, ...apiKey }) => apiKey),
    })),
    'list only active keys': listing((page) => ({
      ...page,
      keys: page.keys.filter((record) => stateOfApiKey(record, new Date()) === 'active'),
    })),
  },
  'list is by ascending id, in whatever order the records were added': {
    'begin with the greatest id': paging((all, limit, after) => pageOf(all.toReversed(), limit, after)),
    'list by the time of creation': paging((all, limit, after) =>
      pageOf(
        all.toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt) || (a.sha256 < b.sha256 ? -1 : 1)),
        limit,
        after,
      ),
    ),
  },
  'list gives each record exactly once over its pages': {
    'list by the order of a dictionary': paging((all, limit, after) =>
      pageOf(
        all.toSorted((a, b) => a.id.localeCompare(b.id, 'en')),
        limit,
        after,
      ),
    ),
    'skip a record between two pages': paging((all, limit, after) => {
      const start = after === undefined ? 0 : startOf(all, after) + 1;
      const keys = all.slice(start, start + limit);
      const last = keys.at(-1);
      return last && start + limit < all.length ? { keys, next: last.id } : { keys };
    }),
  },
  'list keeps its order when records are replaced': {
    'put revoked keys last': paging((all, limit, after) =>
      pageOf(
        all.toSorted((a, b) => Number(a.revokedAt ?? 0) - Number(b.revokedAt ?? 0)),
        limit,
        after,
      ),
    ),
  },
  'list returns at most limit records, and up to 100': {
    'ignore the limit': paging((all, _limit, after) => ({ keys: all.slice(startOf(all, after)) })),
    'list at most 50': vary((sound) => ({
      list: async (query) => sound.list({ ...query, limit: Math.min(query.limit, 50) }),
    })),
  },
  'list has the id of its last record as next if more follow': {
    'have the id of the next record as next': paging((all, limit, after) => {
      const start = Math.max(0, after === undefined ? 0 : startOf(all, after) - 1);
      const next = all[start + limit];
      const keys = all.slice(start, start + limit);
      return next ? { keys, next: next.id } : { keys };
    }),
  },
  'list shows only records with a greater id than after, which need not be on record': {
    'list the record given as after again': paging((all, limit, after) => {
      const start = after === undefined ? 0 : startOf(all, after) - 1;
      return { keys: all.slice(start, start + limit) };
    }),
    'start again for an after that is not on record': paging(pageOf),
  },
  'list returns objects that the caller may change': {
    'list their own objects': vary((sound) => {
      const records = new Map<string, ApiKeyRecord>();
      return {
        list: async (query) => {
          const page = await sound.list(query);
          for (const record of page.keys) if (!records.has(record.id)) records.set(record.id, record);
          return { ...page, keys: page.keys.map(({ id }) => records.get(id) as ApiKeyRecord) };
        },
      };
    }),
  },
});

const brokenFinds = byFault({
  'find resolves to the record with this id': {
    'find the first record whatever the id': vary((sound) => ({ find: async () => (await allOf(sound))[0] })),
  },
  'find tells apart ids that differ in case or length': {
    'ignore the case of an id': vary((sound) => ({
      find: async (id) => (await allOf(sound)).find((record) => record.id.toLowerCase() === id.toLowerCase()),
    })),
    'find a record by the beginning of its id': vary((sound) => ({
      find: async (id) => (await allOf(sound)).toReversed().find((record) => record.id.startsWith(id)),
    })),
  },
  'find resolves to undefined for an id that no record has, whatever its text': {
    'find a record by its name too': vary((sound) => ({
      find: async (id) => (await allOf(sound)).find((record) => record.id === id || record.name === id),
    })),
    'find null if no record has the id': vary((sound) => ({
      find: async (id) => (await sound.find(id)) ?? (null as unknown as undefined),
    })),
    'reject an id that no record has': vary((sound) => ({
      find: async (id) => {
        const record = await sound.find(id);
        if (record === undefined) throw new Error(`no API key has the id ${id}`);
        return record;
      },
    })),
  },
  'find returns an object that the caller may change': {
    'find their own objects': vary((sound) => {
      const records = new Map<string, ApiKeyRecord | undefined>();
      return {
        find: async (id) => {
          if (!records.has(id)) records.set(id, await sound.find(id));
          return records.get(id);
        },
      };
    }),
  },
});

const brokenReplaces = byFault({
  'replace changes a record that nobody else has changed, and resolves to true': {
    'replace nothing': vary(() => ({ replace: async () => true })),
    'refuse every change': vary(() => ({ replace: async () => false })),
  },
  'replace takes records as find and list return them': {
    'compare the objects': vary((sound) => {
      const given = new Map<string, ApiKeyRecord>();
      return {
        add: async (record) => {
          given.set(record.id, record);
          return sound.add(record);
        },
        replace: async (before, after) => given.get(before.id) === before && sound.replace(before, after),
      };
    }),
  },
  'replace resolves to true for an equal record, and changes nothing': {
    'tell whether anything changed': vary((sound) => ({
      replace: async (before, after) =>
        JSON.stringify(before) !== JSON.stringify(after) && (await sound.replace(before, after)),
    })),
  },
  'replace resolves to false if the expiry or the revocation was changed, and changes nothing': {
    'replace whatever is on record': replacingIf(() => true),
    'compare only the revocation': replacingIf(
      (record, before) => timeOf(record.revokedAt) === timeOf(before.revokedAt),
    ),
    'compare only the expiry': replacingIf((record, before) => timeOf(record.expiresAt) === timeOf(before.expiresAt)),
    'compare times to the second': replacingIf((record, before) =>
      (['expiresAt', 'revokedAt'] as const).every(
        (member) => Math.abs((timeOf(record[member]) ?? 0) - (timeOf(before[member]) ?? 0)) < 1000,
      ),
    ),
  },
  'replace resolves to false for an id that no record has, and adds nothing': {
    'add what they cannot replace': vary((sound) => ({
      replace: async (before, after) => {
        if ((await sound.find(before.id)) === undefined) await sound.add(after);
        return sound.replace(before, after);
      },
    })),
  },
  'replace leaves all other records unchanged, including those with the same name': {
    'revoke every key of the name': vary((sound) => ({
      replace: async (before, after) => {
        for (const record of await allOf(sound)) {
          const { expiresAt, revokedAt } = after;
          if (record.name !== before.name || record.id === before.id) continue;
          await sound.replace(record, { ...record, ...(expiresAt && { expiresAt }), ...(revokedAt && { revokedAt }) });
        }
        return sound.replace(before, after);
      },
    })),
  },
  'replace makes only one of several concurrent changes to the same record': {
    'compare first and set later': vary((sound) => ({
      replace: async (before, after) => {
        const { expiresAt, revokedAt } = (await sound.find(before.id)) ?? {};
        if (timeOf(expiresAt) !== timeOf(before.expiresAt) || timeOf(revokedAt) !== timeOf(before.revokedAt))
          return false;
        await setImmediate();
        const record = await sound.find(before.id);
        return record !== undefined && sound.replace(record, after);
      },
    })),
  },
  'replace ends a key that was in use, by a revocation or an expiry': {
    'go on accepting a key that was in use': vary((sound) => {
      const seen = new Map<string, Principal>();
      return {
        verify: async (key) => {
          const principal = seen.get(key) ?? (await sound.verify(key));
          if (principal !== undefined) seen.set(key, principal);
          return principal;
        },
      };
    }),
  },
  'replace lets a key work until its new expiry': {
    'refuse a key that is to expire': vary((sound) => {
      const ended = new Set<string>();
      return {
        replace: async (before, after) => {
          const isReplaced = await sound.replace(before, after);
          if (isReplaced) ended.add(before.name);
          return isReplaced;
        },
        verify: async (key) => {
          const principal = await sound.verify(key);
          return principal && ended.has(principal.name) ? undefined : principal;
        },
      };
    }),
  },
  'replace does not keep the object that it was given': {
    'keep the objects that they are given as a replacement': vary((sound) => {
      const given = new Map<string, ApiKeyRecord>();
      return {
        replace: async (before, after) => {
          const isReplaced = await sound.replace(before, after);
          if (isReplaced) given.set(after.id, after);
          return isReplaced;
        },
        find: async (id) => given.get(id) ?? sound.find(id),
      };
    }),
  },
});

const brokenRotations = byFault({
  'a key that is rotated twice concurrently without an overlap gets one successor': {
    'let two rotations through': replacingIf(() => true),
  },
  'a key that is rotated concurrently with overlaps expires after the shortest, and every successor works': {
    'let a later change of the expiry win': replacingIf(
      (record, before) => timeOf(record.revokedAt) === timeOf(before.revokedAt),
    ),
  },
  'a key that is revoked while it is rotated is revoked, whichever comes first': {
    'let a change of the expiry undo a revocation': replacingIf(
      (record, before) => timeOf(record.expiresAt) === timeOf(before.expiresAt),
    ),
  },
  'a key can be rotated again if a process ended before it added the successor': {
    'change a record when the next one is added': vary((sound) => {
      let change = async (): Promise<unknown> => undefined;
      return {
        replace: async (before, after) => {
          change = async () => sound.replace(before, after);
          return true;
        },
        add: async (record) => {
          await change();
          return sound.add(record);
        },
      };
    }),
  },
});

/** Every broken registry, by its fault. */
export const brokenApiKeyRegistries: ByFault<() => CreatedApiKeyRegistry> = {
  ...brokenAdds,
  ...brokenLists,
  ...brokenFinds,
  ...brokenReplaces,
  ...brokenRotations,
};
