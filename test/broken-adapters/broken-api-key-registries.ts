import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { isApiKeyName, stateOfApiKey, type ApiKey, type IssuedApiKey } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyRegistry, ApiKeys, Principal } from '../../src/domain/api-keys/api-keys.js';
import type { CreatedApiKeyRegistry } from '../contracts/api-key-registry-contract.js';

/** A registry that breaks one sentence of the port, and a check of the suite that must notice. */
export interface BrokenApiKeyRegistry {
  readonly create: () => CreatedApiKeyRegistry;
  readonly caughtBy: string;
}

type Methods = Partial<ApiKeyRegistry & ApiKeys>;

/** Makes registries that are sound except for the given methods. */
function vary(methods: (sound: InMemoryApiKeys) => Methods): () => CreatedApiKeyRegistry {
  return () => {
    const sound = new InMemoryApiKeys();
    const keys = {
      create: sound.create.bind(sound),
      list: sound.list.bind(sound),
      rotate: sound.rotate.bind(sound),
      revoke: sound.revoke.bind(sound),
      verify: sound.verify.bind(sound),
      ...methods(sound),
    };
    return { registry: keys, apiKeys: keys };
  };
}

/** Makes registries that return other keys than they have on record. */
function issuing(change: (issued: IssuedApiKey) => object): () => CreatedApiKeyRegistry {
  return vary((sound) => ({
    create: async (request) => change(await sound.create(request)) as IssuedApiKey,
    rotate: async (id, rotation) => change(await sound.rotate(id, rotation)) as IssuedApiKey,
  }));
}

/** Makes registries whose lists differ from their records. */
function listing(change: (page: ApiKeyPage) => object): () => CreatedApiKeyRegistry {
  return vary((sound) => ({ list: async (query) => change(await sound.list(query)) as ApiKeyPage }));
}

/** Makes registries whose lists show each key differently from its record. */
function describing(change: (apiKey: ApiKey) => object): () => CreatedApiKeyRegistry {
  return listing((page) => ({ ...page, keys: page.keys.map(change) }));
}

async function onRecord(registry: ApiKeyRegistry, id: string): Promise<ApiKey | undefined> {
  return (await registry.list({ limit: 100 })).keys.find((key) => key.id === id);
}

/** A registry that answers every page anew from all of its keys, as `page` has it. */
function paging(page: (all: readonly ApiKey[], limit: number, after?: string) => ApiKeyPage) {
  return vary((sound) => ({
    list: async ({ limit, after }) => page((await sound.list({ limit: 1000 })).keys, limit, after),
  }));
}

const startOf = (all: readonly ApiKey[], after?: string): number => all.findIndex(({ id }) => id === after) + 1;

const brokenCreates: Readonly<Record<string, BrokenApiKeyRegistry>> = {
  'take the name in lower case': {
    create: vary((sound) => ({ create: async ({ name }) => sound.create({ name: String(name).toLowerCase() }) })),
    caughtBy: 'create keeps a name exactly',
  },
  'normalise the name': {
    create: vary((sound) => ({
      create: async ({ name, ...rest }) =>
        sound.create({ ...rest, name: isApiKeyName(name) ? name.normalize('NFC') : name }),
    })),
    caughtBy: 'create keeps a name exactly',
  },
  'answer another name': {
    create: issuing((issued) => ({ ...issued, name: 'somebody' })),
    caughtBy: 'create resolves to a key of the name that it was given',
  },
  'answer an id that cannot be typed': {
    create: issuing((issued) => ({ ...issued, id: `{${issued.id}}` })),
    caughtBy: 'create resolves to a key of the name that it was given',
  },
  'answer the time as text': {
    create: issuing((issued) => ({ ...issued, createdAt: issued.createdAt.toISOString() })),
    caughtBy: 'create resolves to a key of the name that it was given',
  },
  'answer a key that does not work': {
    create: issuing((issued) => ({ ...issued, key: `${issued.key}x` })),
    caughtBy: 'create makes a key that works at once',
  },
  'judge keys that it has never seen by old ones': {
    create: vary((sound) => {
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
    caughtBy: 'create makes a key that works although it was looked up before others were made',
  },
  'make short keys': {
    create: vary((sound) => {
      const long = new Map<string, string>();
      return {
        create: async (request) => {
          const issued = await sound.create(request);
          const key = issued.key.slice(4, 16);
          long.set(key, issued.key);
          return { ...issued, key };
        },
        verify: async (key) => sound.verify(long.get(key) ?? key),
      };
    }),
    caughtBy: 'create makes a key that a bearer token can carry, of 128 bits or more',
  },
  'make keys of characters that a header cannot carry': {
    create: issuing((issued) => ({ ...issued, key: `${issued.key} ü` })),
    caughtBy: 'create makes a key that a bearer token can carry, of 128 bits or more',
  },
  'make the id of a piece of the key': {
    create: issuing((issued) => ({ ...issued, id: issued.key.slice(4, 14) })),
    caughtBy: 'create makes a key of which its id tells nothing',
  },
  'make one key for each name': {
    create: vary((sound) => {
      const byName = new Map<string, Promise<IssuedApiKey>>();
      return {
        create: async (request) => {
          const known = byName.get(request.name) ?? sound.create(request);
          byName.set(request.name, known);
          return known;
        },
      };
    }),
    caughtBy: 'create makes distinct ids and keys, also at once and for one name',
  },
  'give every key a lifetime': {
    create: vary((sound) => ({ create: async (request) => sound.create({ lifetimeMs: 1e9, ...request }) })),
    caughtBy: 'create makes a key for good if it is given no lifetime',
  },
  'answer undefined for members that are left out': {
    create: issuing((issued) => ({ expiresAt: undefined, ...issued })),
    caughtBy: 'create makes a key for good if it is given no lifetime',
  },
  'list null for members that are left out': {
    create: describing((apiKey) => ({ revokedAt: null, ...apiKey })),
    caughtBy: 'create makes a key for good if it is given no lifetime',
  },
  'forget the lifetime': {
    create: vary((sound) => ({ create: async ({ name }) => sound.create({ name }) })),
    caughtBy: 'create makes a key that expires after its lifetime',
  },
  'keep a lifetime in 32 bits': {
    create: vary((sound) => ({
      create: async ({ name, lifetimeMs }) =>
        sound.create({ name, lifetimeMs: lifetimeMs && lifetimeMs > 2 ** 31 ? lifetimeMs | 0 || 1 : lifetimeMs }),
    })),
    caughtBy: 'create makes a key that expires after its lifetime',
  },
  'accept expired keys': {
    create: vary((sound) => {
      const issued = new Map<string, IssuedApiKey>();
      return {
        create: async (request) => {
          const apiKey = await sound.create(request);
          issued.set(apiKey.key, apiKey);
          return apiKey;
        },
        verify: async (key) => (await sound.verify(key)) ?? issued.get(key),
      };
    }),
    caughtBy: 'a key stops working when it expires',
  },
  'accept every name': {
    create: vary((sound) => ({
      create: async ({ name, ...rest }) => ({
        ...(await sound.create({ ...rest, name: isApiKeyName(name) ? name : 'x' })),
        name,
      }),
    })),
    caughtBy: 'create refuses a name that breaks its rule, and issues nothing',
  },
  'issue a key before they refuse its name': {
    create: vary((sound) => ({
      create: async (request) => {
        if (!isApiKeyName(request.name)) await sound.create({ name: 'x' });
        return sound.create(request);
      },
    })),
    caughtBy: 'create refuses a name that breaks its rule, and issues nothing',
  },
  'refuse a name by another error': {
    create: vary((sound) => ({
      create: async (request) => {
        if (!isApiKeyName(request.name)) throw new RangeError('name must be printable');
        return sound.create(request);
      },
    })),
    caughtBy: 'create refuses a name that breaks its rule, and issues nothing',
  },
  'take a lifetime of nothing for none': {
    create: vary((sound) => ({
      create: async ({ name, lifetimeMs }) => sound.create(lifetimeMs ? { name, lifetimeMs } : { name }),
    })),
    caughtBy: 'create refuses a lifetime that breaks its rule, and issues nothing',
  },
  'name the first fault alone': {
    create: vary((sound) => ({
      create: async (request) => {
        if (!isApiKeyName(request.name)) return sound.create({ name: request.name });
        return sound.create(request);
      },
    })),
    caughtBy: 'create names every fault at once',
  },
};

const brokenLists: Readonly<Record<string, BrokenApiKeyRegistry>> = {
  'begin with a key of their own': {
    create: () => {
      const keys = new InMemoryApiKeys([{ name: 'admin', key: 'a key that nobody asked for' }]);
      return { registry: keys, apiKeys: keys };
    },
    caughtBy: 'list is an empty page without next if no key was issued',
  },
  'have an undefined next': {
    create: listing(({ keys, next }) => ({ keys, next })),
    caughtBy: 'list leaves next out if the page ends with the last key',
  },
  'list no expiry': {
    create: describing(({ expiresAt: _expiresAt, ...apiKey }) => apiKey),
    caughtBy: 'list tells all that create told but the key',
  },
  'list times to the second': {
    create: describing((apiKey) => ({
      ...apiKey,
      createdAt: new Date(Math.floor(apiKey.createdAt.getTime() / 1000) * 1000 - 1),
    })),
    caughtBy: 'list tells all that create told but the key',
  },
  'list the keys': {
    create: vary((sound) => {
      const texts = new Map<string, string>();
      return {
        create: async (request) => {
          const issued = await sound.create(request);
          texts.set(issued.id, issued.key);
          return issued;
        },
        list: async (query) => {
          const page = await sound.list(query);
          return { ...page, keys: page.keys.map((apiKey) => ({ ...apiKey, key: texts.get(apiKey.id) })) };
        },
      };
    }),
    caughtBy: 'list holds no key',
  },
  'begin with the newest': {
    create: paging((all, limit, after) => {
      const reversed = all.toReversed();
      const start = startOf(reversed, after);
      const keys = reversed.slice(start, start + limit);
      return start + limit < all.length ? { keys, next: keys.at(-1)?.id ?? '' } : { keys };
    }),
    caughtBy: 'list begins with the oldest',
  },
  'put revoked keys last': {
    create: paging((all, limit, after) => {
      const sorted = all.toSorted((a, b) => Number(a.revokedAt ?? 0) - Number(b.revokedAt ?? 0));
      const start = startOf(sorted, after);
      const keys = sorted.slice(start, start + limit);
      return start + limit < all.length ? { keys, next: keys.at(-1)?.id ?? '' } : { keys };
    }),
    caughtBy: 'list keeps the order of keys issued at once',
  },
  'ignore the limit': {
    create: paging((all, _limit, after) => ({ keys: all.slice(startOf(all, after)) })),
    caughtBy: 'list returns no more than limit, and as many as 100',
  },
  'list at most 50': {
    create: vary((sound) => ({ list: async (query) => sound.list({ ...query, limit: Math.min(query.limit, 50) }) })),
    caughtBy: 'list returns no more than limit, and as many as 100',
  },
  'have the id of the next key as next': {
    create: paging((all, limit, after) => {
      const start = Math.max(0, after === undefined ? 0 : startOf(all, after) - 1);
      const next = all[start + limit];
      const keys = all.slice(start, start + limit);
      return next ? { keys, next: next.id } : { keys };
    }),
    caughtBy: 'list has the id of its last key as next if more follow',
  },
  'have a next at every end': {
    create: paging((all, limit, after) => {
      const start = startOf(all, after);
      const keys = all.slice(start, start + limit);
      const last = keys.at(-1);
      return last ? { keys, next: last.id } : { keys };
    }),
    caughtBy: 'list leaves next out if the page ends with the last key',
  },
  'list the key given as after again': {
    create: paging((all, limit, after) => {
      const start = after === undefined ? 0 : startOf(all, after) - 1;
      return { keys: all.slice(start, start + limit) };
    }),
    caughtBy: 'list starts right after the key given as after',
  },
  'skip a key between two pages': {
    create: paging((all, limit, after) => {
      const start = after === undefined ? 0 : startOf(all, after) + 1;
      const keys = all.slice(start, start + limit);
      const last = keys.at(-1);
      return last && start + limit < all.length ? { keys, next: last.id } : { keys };
    }),
    caughtBy: 'list gives each key exactly once over its pages',
  },
  'list active keys alone': {
    create: listing((page) => ({
      ...page,
      keys: page.keys.filter((apiKey) => stateOfApiKey(apiKey, new Date()) === 'active'),
    })),
    caughtBy: 'list shows expired and revoked keys too',
  },
  'hand out their own objects': {
    create: vary((sound) => {
      const records = new Map<string, ApiKey>();
      return {
        list: async (query) => {
          const page = await sound.list(query);
          for (const apiKey of page.keys) if (!records.has(apiKey.id)) records.set(apiKey.id, apiKey);
          return { ...page, keys: page.keys.map(({ id }) => records.get(id) as ApiKey) };
        },
      };
    }),
    caughtBy: 'what list and create return is the caller’s own',
  },
};

const brokenRotations: Readonly<Record<string, BrokenApiKeyRegistry>> = {
  'name the successor after the old key': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => ({ ...(await sound.rotate(id, rotation)), name: `${id} rotated` }),
    })),
    caughtBy: 'rotate makes another key for the same name, which works at once',
  },
  'make a successor under the same id': {
    create: vary((sound) => ({ rotate: async (id, rotation) => ({ ...(await sound.rotate(id, rotation)), id }) })),
    caughtBy: 'rotate makes another key for the same name, which works at once',
  },
  'end the old key at once': {
    create: vary((sound) => ({ rotate: async (id) => sound.rotate(id, { overlapMs: 0 }) })),
    caughtBy: 'rotate lets the old key work for the overlap',
  },
  'let the old key work on for good': {
    create: vary((sound) => ({
      rotate: async (id, { overlapMs }) => {
        await sound.rotate(id, { overlapMs: Math.max(1e9, overlapMs) });
        const { name } = (await onRecord(sound, id)) as ApiKey;
        return sound.create({ name });
      },
    })),
    caughtBy: 'rotate ends the old key if there is no overlap',
  },
  'revoke the old key where it would end': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const issued = await sound.rotate(id, rotation);
        await sound.revoke(id);
        return issued;
      },
    })),
    caughtBy: 'rotate changes nothing about the old key but its expiry',
  },
  'let an overlap lengthen the life of the old key': {
    create: vary((sound) => {
      const expiries = new Map<string, { expiresAt: Date }>();
      return {
        list: async (query) => {
          const page = await sound.list(query);
          return { ...page, keys: page.keys.map((key) => ({ ...key, ...expiries.get(key.id) })) };
        },
        rotate: async (id, rotation) => {
          const issued = await sound.rotate(id, rotation);
          expiries.set(id, { expiresAt: new Date(issued.createdAt.getTime() + rotation.overlapMs) });
          return issued;
        },
      };
    }),
    caughtBy: 'rotate never lets the old key outlive its own expiry',
  },
  'give the successor the rest of the old key’s lifetime': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const old = await onRecord(sound, id);
        const issued = await sound.rotate(id, rotation);
        return old?.expiresAt === undefined ? issued : { ...issued, expiresAt: old.expiresAt };
      },
    })),
    caughtBy: 'rotate gives the new key as long a life as the old one was issued for',
  },
  'give the successor the overlap as its life': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const before = await onRecord(sound, id);
        const issued = await sound.rotate(id, rotation);
        return before?.expiresAt === undefined || before.lifetimeMs !== undefined
          ? issued
          : { ...issued, lifetimeMs: 1, expiresAt: before.expiresAt };
      },
    })),
    caughtBy: 'rotate makes a key for good in place of one for good, also if that was rotated before',
  },
  'rotate every key of the name': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const { keys } = await sound.list({ limit: 100 });
        const name = keys.find((key) => key.id === id)?.name;
        for (const key of keys) if (key.name === name && key.id !== id) await sound.rotate(key.id, rotation);
        return sound.rotate(id, rotation);
      },
    })),
    caughtBy: 'rotate leaves every other key alone',
  },
  'issue a key for an id that no key has': {
    create: vary((sound) => ({
      rotate: async (id, rotation) =>
        (await onRecord(sound, id)) === undefined ? sound.create({ name: 'nobody' }) : sound.rotate(id, rotation),
    })),
    caughtBy: 'rotate rejects an id that no key has, without repeating it',
  },
  'repeat what they were given as an id': {
    create: vary((sound) => {
      const repeating = async (id: string): Promise<void> => {
        if ((await onRecord(sound, id)) !== undefined) return;
        const error = await sound.revoke(id).catch((reason: unknown) => reason as Error);
        throw Object.assign(error as Error, { message: `no API key has the id ${id}` });
      };
      return {
        rotate: async (id, rotation) => {
          await repeating(id);
          return sound.rotate(id, rotation);
        },
        revoke: async (id) => {
          await repeating(id);
          await sound.revoke(id);
        },
      };
    }),
    caughtBy: 'revoke rejects an id that no key has, without repeating it',
  },
  'rotate a revoked key': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const key = await onRecord(sound, id);
        return key?.revokedAt === undefined ? sound.rotate(id, rotation) : sound.create({ name: key.name });
      },
    })),
    caughtBy: 'rotate rejects a key that was revoked, and issues nothing',
  },
  'rotate an expired key': {
    create: vary((sound) => ({
      rotate: async (id, rotation) => {
        const key = await onRecord(sound, id);
        return key === undefined || stateOfApiKey(key, new Date()) !== 'expired'
          ? sound.rotate(id, rotation)
          : sound.create({ name: key.name });
      },
    })),
    caughtBy: 'rotate rejects a key that has expired, and issues nothing',
  },
  'take a negative overlap for none': {
    create: vary((sound) => ({
      rotate: async (id, { overlapMs }) => sound.rotate(id, { overlapMs: Math.max(0, overlapMs) }),
    })),
    caughtBy: 'rotate refuses an overlap that breaks its rule, and changes nothing',
  },
};

const brokenRevocations: Readonly<Record<string, BrokenApiKeyRegistry>> = {
  'go on accepting a key that was in use': {
    create: vary((sound) => {
      const seen = new Map<string, Principal>();
      return {
        verify: async (key) => {
          const principal = seen.get(key) ?? (await sound.verify(key));
          if (principal !== undefined) seen.set(key, principal);
          return principal;
        },
      };
    }),
    caughtBy: 'revoke ends a key that was in use',
  },
  'revoke every key of the name': {
    create: vary((sound) => ({
      revoke: async (id) => {
        await sound.revoke(id);
        const { keys } = await sound.list({ limit: 100 });
        const name = keys.find((key) => key.id === id)?.name;
        for (const key of keys) if (key.name === name) await sound.revoke(key.id);
      },
    })),
    caughtBy: 'revoke leaves every other key alone, those of the same name among them',
  },
  'note the revocation as an expiry': {
    create: describing(({ revokedAt, ...apiKey }) => (revokedAt ? { ...apiKey, expiresAt: revokedAt } : apiKey)),
    caughtBy: 'revoke notes the time, and changes nothing else',
  },
  'note the time of the last revocation': {
    create: vary((sound) => {
      const times = new Map<string, { revokedAt: Date }>();
      return {
        revoke: async (id) => {
          await sound.revoke(id);
          times.set(id, { revokedAt: new Date() });
        },
        list: async (query) => {
          const page = await sound.list(query);
          return { ...page, keys: page.keys.map((key) => ({ ...key, ...times.get(key.id) })) };
        },
      };
    }),
    caughtBy: 'revoke keeps the first time if it is called again',
  },
  'leave an expired key as it is': {
    create: vary((sound) => ({
      revoke: async (id) => {
        const key = await onRecord(sound, id);
        if (key === undefined || stateOfApiKey(key, new Date()) !== 'expired') await sound.revoke(id);
      },
    })),
    caughtBy: 'revoke takes a key that has expired',
  },
  'revoke the successor too': {
    create: vary((sound) => {
      const successors = new Map<string, string>();
      return {
        rotate: async (id, rotation) => {
          const issued = await sound.rotate(id, rotation);
          successors.set(id, issued.id);
          return issued;
        },
        revoke: async (id) => {
          await sound.revoke(id);
          const successor = successors.get(id);
          if (successor !== undefined) await sound.revoke(successor);
        },
      };
    }),
    caughtBy: 'revoke leaves the successor of a key alone',
  },
  'take an unknown id for one that was revoked before': {
    create: vary((sound) => ({
      revoke: async (id) => {
        if ((await onRecord(sound, id)) !== undefined) await sound.revoke(id);
      },
    })),
    caughtBy: 'revoke rejects an id that no key has, without repeating it',
  },
};

/** Every broken registry, by its fault. */
export const brokenApiKeyRegistries: Readonly<Record<string, BrokenApiKeyRegistry>> = {
  ...brokenCreates,
  ...brokenLists,
  ...brokenRotations,
  ...brokenRevocations,
};
