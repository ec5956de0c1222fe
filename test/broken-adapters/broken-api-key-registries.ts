import { setImmediate } from 'node:timers/promises';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { stateOfApiKey, type ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyRegistry, ApiKeys, Principal } from '../../src/domain/api-keys/api-keys.js';
import { except } from '../support/except.js';
import { breaking, type Broken } from './breaking.js';

/** A registry that verifies its own keys. */
export type Registry = ApiKeyRegistry & ApiKeys;
type CreateRegistry = () => Registry;

const { vary, around } = breaking<InMemoryApiKeys, Registry>(() => new InMemoryApiKeys());

/** Makes registries that add other records than they are given. */
function adding(change: (record: ApiKeyRecord) => object): CreateRegistry {
  return around('add', (add, record) => add(change(record) as ApiKeyRecord));
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

async function allOf(registry: ApiKeyRegistry): Promise<readonly ApiKeyRecord[]> {
  return (await registry.list({ limit: 1000 })).keys;
}

const startOf = (all: readonly ApiKeyRecord[], after?: string): number => all.findIndex(({ id }) => id === after) + 1;

/** A page of records in a given order. */
function pageOf(sorted: readonly ApiKeyRecord[], limit: number, after?: string): object {
  const start = startOf(sorted, after);
  const keys = sorted.slice(start, start + limit);
  return start + limit < sorted.length ? { keys, next: keys.at(-1)?.id } : { keys };
}

/** Every broken registry. */
export const brokenApiKeyRegistries: Broken<CreateRegistry> = {
  'add keeps every member of a record exactly, and invents none': {
    'forget the lifetime': adding(({ lifetimeMs: _lifetimeMs, ...record }) => record),
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
    'resolve to true for a record that is there already': around(
      'add',
      async (add, record) => (await add(record)) || true,
    ),
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
    'find their own objects': vary((sound) => {
      const found = new Map<string, ApiKeyRecord | undefined>();
      return {
        find: async (id) => {
          if (!found.has(id)) found.set(id, await sound.find(id));
          return found.get(id);
        },
      };
    }),
  },
  'list is an empty page without next if there is no record': {
    'begin with a record of their own': () => new InMemoryApiKeys([{ name: 'admin', key: 'a key nobody asked for' }]),
  },
  'list has the id of its last record as next if more follow, and otherwise no next': {
    'have a next at every end': listing(({ keys }) => (keys.length > 0 ? { keys, next: keys.at(-1)?.id } : { keys })),
  },
  'list shows the records of all keys, including expired and revoked ones': {
    'list only active keys': listing(({ keys, ...page }) => ({
      keys: keys.filter((record) => stateOfApiKey(record, new Date()) === 'active'),
      ...page,
    })),
  },
  'list is by ascending id, and gives each record exactly once over its pages': {
    'list by the order of a dictionary': paging((all, limit, after) =>
      pageOf(
        all.toSorted((a, b) => a.id.localeCompare(b.id, 'en')),
        limit,
        after,
      ),
    ),
  },
  'list returns at most limit records, and up to 100': {
    'ignore the limit': paging((all, _limit, after) => ({ keys: all.slice(startOf(all, after)) })),
  },
  'list shows only records with a greater id than after, which need not be on record': {
    'start again for an after that is not on record': paging(pageOf),
  },
  'find resolves to the record with exactly this id': {
    'ignore the case of an id': searching((all, id) =>
      all.find((record) => record.id.toLowerCase() === id.toLowerCase()),
    ),
  },
  'find resolves to undefined for an id that no record has, whatever its text': {
    'find a record by its name too': searching((all, id) =>
      all.find((record) => record.id === id || record.name === id),
    ),
  },
  'replace changes a record as find and list return it, and resolves to true': {
    'replace nothing': vary(() => ({ replace: async () => true })),
  },
  'replace resolves to true for an equal record, and changes nothing': {
    'tell whether anything changed': around(
      'replace',
      async (replace, before, after) =>
        JSON.stringify(before) !== JSON.stringify(after) && (await replace(before, after)),
    ),
  },
  'replace resolves to false if the expiry or the revocation was changed, and changes nothing': {
    'replace whatever is on record': vary((sound) => ({
      replace: async (before, after) => {
        const present = await sound.find(before.id);
        return present !== undefined && sound.replace(present, after);
      },
    })),
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
        const present = await sound.find(before.id);
        if (present?.expiresAt?.getTime() !== before.expiresAt?.getTime()) return false;
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
