import { setImmediate } from 'node:timers/promises';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { stateOfApiKey, type ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type {
  ApiKeyPage,
  ApiKeyQuery,
  ApiKeyRegistry,
  ApiKeys,
  Principal,
} from '../../src/domain/api-keys/api-keys.js';
import { except } from '../support/except.js';
import { breaking, fail, type Broken } from './breaking.js';

/** A registry that verifies its own keys. */
export type Registry = ApiKeyRegistry & ApiKeys;
type CreateRegistry = () => Registry;

const { vary, around } = breaking<InMemoryApiKeys, Registry>(() => new InMemoryApiKeys());

/** Makes registries that add other records than they are given. */
function adding(change: (record: ApiKeyRecord) => object): CreateRegistry {
  return around('add', (add, record) => add(change(record) as ApiKeyRecord));
}

/** Makes registries that find other records than they have. */
function finding(change: (record: ApiKeyRecord) => object): CreateRegistry {
  return around('find', async (find, id) => {
    const record = await find(id);
    return record && change(record);
  });
}

/** Makes registries that find a record among all of theirs. */
function searching(search: (all: readonly ApiKeyRecord[], id: string) => ApiKeyRecord | undefined): CreateRegistry {
  return vary((sound) => ({ find: async (id) => search(await allOf(sound), id) }));
}

/** Makes registries whose lists differ from their records. */
function listing(change: (page: ApiKeyPage) => object): CreateRegistry {
  return around('list', async (list, query) => change(await list(query)));
}

/** Makes registries that compute every page from all of their records. */
function paging(page: (all: readonly ApiKeyRecord[], limit: number, after?: string) => object): CreateRegistry {
  return vary((sound) => ({ list: async ({ limit, after }) => page(await allOf(sound), limit, after) }));
}

/** Makes registries that replace a record if `matches` says so. */
function replacingIf(matches: (record: ApiKeyRecord, before: ApiKeyRecord) => boolean): CreateRegistry {
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

const hasSame = (member: 'expiresAt' | 'revokedAt') => (one: Partial<ApiKeyRecord>, other: ApiKeyRecord) =>
  one[member]?.getTime() === other[member]?.getTime();

async function allOf(registry: ApiKeyRegistry): Promise<readonly ApiKeyRecord[]> {
  return (await registry.list({ limit: 1000 })).keys;
}

const startOf = (all: readonly ApiKeyRecord[], after?: string): number => all.findIndex(({ id }) => id === after) + 1;

/** A page of records in a given order. */
function pageOf(
  sorted: readonly ApiKeyRecord[],
  limit: number,
  after?: string,
  start = startOf(sorted, after),
): object {
  const keys = sorted.slice(start, start + limit);
  return start + limit < sorted.length ? { keys, next: keys.at(-1)?.id } : { keys };
}

/** Makes registries that go on handing out the first object that they were given or returned for an id. */
function noting(
  methods: (sound: InMemoryApiKeys, note: (record: ApiKeyRecord) => ApiKeyRecord) => object,
): CreateRegistry {
  return vary((sound) => {
    const noted = new Map<string, ApiKeyRecord>();
    const note = (record: ApiKeyRecord): ApiKeyRecord => {
      const first = noted.get(record.id) ?? record;
      noted.set(record.id, first);
      return first;
    };
    return { find: async (id) => noted.get(id) ?? sound.find(id), ...methods(sound, note) };
  });
}

/** Every broken registry. */
export const brokenApiKeyRegistries: Broken<CreateRegistry> = {
  'add keeps every member of a record exactly, and invents none': {
    'forget the lifetime': adding(({ lifetimeMs: _lifetimeMs, ...record }) => record),
    'keep a lifetime in 32 bits': adding((record) =>
      record.lifetimeMs === undefined ? record : { ...record, lifetimeMs: record.lifetimeMs | 0 },
    ),
    'keep times to the second': adding((record) => ({
      ...record,
      createdAt: new Date(Math.floor(record.createdAt.getTime() / 1000) * 1000 - 1),
    })),
    'make up the lifetime of a record that has none': finding((record) =>
      record.expiresAt && !record.lifetimeMs ? { ...record, lifetimeMs: 1000 } : record,
    ),
    'find undefined for members that are left out': finding((record) => ({ expiresAt: undefined, ...record })),
    'keep the name in lower case': adding((record) => ({ ...record, name: record.name.toLowerCase() })),
    'normalise the name': adding((record) => ({ ...record, name: record.name.normalize('NFC') })),
    'cut an id to 32 characters': adding((record) => ({ ...record, id: record.id.slice(0, 32) })),
  },
  'add makes a key work immediately that was refused before': {
    'go on refusing a key that was tried before it was added': vary((sound) => {
      const refused = new Set<string>();
      return {
        verify: async (key) => {
          const principal = refused.has(key) ? undefined : await sound.verify(key);
          if (principal === undefined) refused.add(key);
          return principal;
        },
      };
    }),
  },
  'add does not make an inactive key work': {
    'forget the revocation of a record that is added': adding(({ revokedAt: _revokedAt, ...record }) => record),
  },
  'add makes an active key work immediately, for its name': {
    'make a key work at its second look-up': vary((sound) => {
      const seen = new Set<string>();
      return { verify: async (key) => (seen.has(key) ? sound.verify(key) : void seen.add(key)) };
    }),
    'know only the key that was looked up first': vary((sound) => {
      let first: string | undefined;
      return { verify: async (key) => (key === (first ??= key) ? sound.verify(key) : undefined) };
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
  'add resolves to false for an id or a SHA-256 that is on record, and changes nothing': {
    'reject a record that is there already': around('add', async (add, record) => (await add(record)) || fail()),
    'resolve to true for a record that is there already': around(
      'add',
      async (add, record) => (await add(record)) || true,
    ),
    'overwrite the record with the same id': vary((sound) => ({
      add: async (record) => {
        const present = await sound.find(record.id);
        return present ? sound.replace(present, record) : sound.add(record);
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
  'callers may change the objects that they pass and get': {
    'keep the objects that they are given to add': noting((sound, note) => ({
      add: async (record: ApiKeyRecord) => sound.add(note(record)),
    })),
    'list their own objects': noting((sound, note) => ({
      list: async (query: ApiKeyQuery) => {
        const page = await sound.list(query);
        return { ...page, keys: page.keys.map(note) };
      },
    })),
    'find their own objects': noting((sound, note) => ({
      find: async (id: string) => {
        const record = await sound.find(id);
        return record && note(record);
      },
    })),
    'keep the objects that they are given as a replacement': noting((sound, note) => ({
      replace: async (before: ApiKeyRecord, after: ApiKeyRecord) =>
        (await sound.replace(before, after)) && note(after) === after,
    })),
  },
  'list is an empty page without next if there is no record': {
    'begin with a record of their own': () => new InMemoryApiKeys([{ name: 'admin', key: 'a key nobody asked for' }]),
  },
  'list has the id of its last record as next if more follow, and otherwise no next': {
    'have an undefined next': listing(({ keys, next }) => ({ keys, next })),
    'have a next at every end': listing(({ keys }) => (keys.length > 0 ? { keys, next: keys.at(-1)?.id } : { keys })),
    'have the id of the next record as next': paging((all, limit) => {
      const keys = all.slice(0, limit);
      return all.length > limit ? { keys, next: all[limit]?.id } : { keys };
    }),
  },
  'list shows the records of all keys, including expired and revoked ones': {
    'note the time at which a record is added as that of its creation': adding((record) => ({
      ...record,
      createdAt: new Date(),
    })),
    'list no SHA-256': listing(({ keys, ...page }) => ({
      keys: keys.map(({ digest: _digest, ...apiKey }) => apiKey),
      ...page,
    })),
    'list only active keys': listing(({ keys, ...page }) => ({
      keys: keys.filter((record) => stateOfApiKey(record, new Date()) === 'active'),
      ...page,
    })),
  },
  'list is by ascending id, and gives each record exactly once over its pages': {
    'begin with the greatest id': paging((all, limit, after) => pageOf(all.toReversed(), limit, after)),
    'list by the order of a dictionary': paging((all, limit, after) =>
      pageOf(
        all.toSorted((a, b) => a.id.localeCompare(b.id, 'en')),
        limit,
        after,
      ),
    ),
    'skip a record between two pages': paging((all, limit, after) =>
      pageOf(all, limit, after, after === undefined ? 0 : startOf(all, after) + 1),
    ),
  },
  'list returns at most limit records, and up to 100': {
    'ignore the limit': paging((all, _limit, after) => ({ keys: all.slice(startOf(all, after)) })),
    'list at most 50': around('list', (list, query) => list({ ...query, limit: Math.min(query.limit, 50) })),
  },
  'list shows only records with a greater id than after, which need not be on record': {
    'list the record given as after again': paging((all, limit, after) =>
      pageOf(all, limit, after, after === undefined ? 0 : startOf(all, after) - 1),
    ),
    'start again for an after that is not on record': paging(pageOf),
  },
  'find resolves to the record with exactly this id': {
    'ignore the case of an id': searching((all, id) =>
      all.find((record) => record.id.toLowerCase() === id.toLowerCase()),
    ),
    'find a record by the beginning of its id': searching((all, id) =>
      all.toReversed().find((record) => record.id.startsWith(id)),
    ),
    'keep the SHA-256 in upper case': finding((record) => ({ ...record, digest: record.digest.toUpperCase() })),
  },
  'find resolves to undefined for an id that no record has, whatever its text': {
    'find a record by its name too': searching((all, id) =>
      all.find((record) => record.id === id || record.name === id),
    ),
    'find null if no record has the id': around('find', async (find, id) => (await find(id)) ?? null),
    'reject an id that no record has': around('find', async (find, id) => (await find(id)) ?? fail()),
  },
  'replace changes a record as find and list return it, and resolves to true': {
    'replace nothing': vary(() => ({ replace: async () => true })),
    'refuse every change': vary(() => ({ replace: async () => false })),
    'compare the objects': vary((sound) => {
      const given = new WeakSet<ApiKeyRecord>();
      return {
        add: (record) => {
          given.add(record);
          return sound.add(record);
        },
        replace: async (before, after) => given.has(before) && sound.replace(before, after),
      };
    }),
  },
  'replace resolves to true for an equal record, and changes nothing': {
    'tell whether anything changed': around(
      'replace',
      async (replace, before, after) =>
        JSON.stringify(before) !== JSON.stringify(after) && (await replace(before, after)),
    ),
  },
  'replace resolves to false if the expiry or the revocation was changed, and changes nothing': {
    'replace whatever is on record': replacingIf(() => true),
    'compare only the revocation': replacingIf(hasSame('revokedAt')),
    'compare only the expiry': replacingIf(hasSame('expiresAt')),
    'compare times to the second': replacingIf((record, before) =>
      (['expiresAt', 'revokedAt'] as const).every(
        (member) => Math.abs(Number(record[member] ?? 0) - Number(before[member] ?? 0)) < 1000,
      ),
    ),
  },
  'replace resolves to false for an id that no record has, and adds nothing': {
    'add what they cannot replace': vary((sound) => ({
      replace: async (before, after) => (await sound.add(after)) || sound.replace(before, after),
    })),
  },
  'replace leaves all other records unchanged, including those with the same name': {
    'revoke every key of the name': vary((sound) => ({
      replace: async (before, after) => {
        for (const record of await allOf(sound)) {
          const isOther = record.name === before.name && record.id !== before.id;
          if (isOther) await sound.replace(record, { ...record, revokedAt: new Date() });
        }
        return sound.replace(before, after);
      },
    })),
  },
  'replace makes only one of several concurrent changes to the same record': {
    'compare first and set later': vary((sound) => ({
      replace: async (before, after) => {
        const present = (await sound.find(before.id)) ?? {};
        if (!hasSame('expiresAt')(present, before) || !hasSame('revokedAt')(present, before)) return false;
        await setImmediate();
        const record = await sound.find(before.id);
        return record !== undefined && sound.replace(record, after);
      },
    })),
  },
  'replace ends a key that was in use, by a revocation or an expiry, and not before': {
    'go on accepting a key that was in use': vary((sound) => {
      const seen = new Map<string, Principal | undefined>();
      return {
        verify: async (key) => {
          seen.set(key, seen.get(key) ?? (await sound.verify(key)));
          return seen.get(key);
        },
      };
    }),
    'end a key at once that is to expire': vary((sound) => ({
      replace: async (before, after) => sound.replace(before, { ...after, revokedAt: new Date() }),
    })),
  },
};

/** Makes a registry on a store. */
export type MakeOn = (store: InMemoryApiKeys) => Registry;

/** Makes registries that keep what a method resolved to, if `isKept` says so, until they write something themselves. */
function keeping(name: 'verify' | 'find' | 'list', isKept: (result: unknown) => boolean = () => true): MakeOn {
  return (store) => {
    const kept = new Map<string, unknown>();
    return except<Registry>(store, {
      [name]: async (argument: never) => {
        const text = JSON.stringify(argument);
        const result: unknown = kept.has(text) ? kept.get(text) : await store[name](argument);
        if (isKept(result)) kept.set(text, result);
        return result;
      },
      add: async (record) => {
        kept.clear();
        return store.add(record);
      },
      replace: async (before, after) => {
        kept.clear();
        return store.replace(before, after);
      },
    });
  };
}

/** Registries that another one on their store misleads. */
export const brokenShares: Broken<MakeOn> = {
  'a registry shows what another one on its store has added or replaced since it looked': {
    'find what was there when they looked first': keeping('find'),
    'list what was there when they looked first': keeping('list'),
  },
  'two registries on one store make only one of several concurrent additions or changes': {
    'add what they have not added themselves': (store) => {
      const own = new Set<string>();
      return except<Registry>(store, {
        add: async (record) => {
          const isNew = !own.has(record.id);
          own.add(record.id);
          await store.add(record);
          return isNew;
        },
      });
    },
  },
  'a key works as soon as another registry has added it, also if it was refused before': {
    'go on refusing a key until they add one': keeping('verify', (principal) => principal === undefined),
  },
  'a key that was in use ends when another registry revokes it or lets it expire': {
    'never hear of a revocation by another one': keeping('verify', (principal) => principal !== undefined),
  },
};
