import { setImmediate } from 'node:timers/promises';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { fail, type Broken } from './breaking.js';
import { around, vary } from './broken-catalogue.js';

/** Catalogues that mistreat the signal of a call. */
export const brokenSignals: Broken<() => PetCatalogue> = {
  'a signal that is not aborted changes nothing, and neither do options without one': {
    'takes each signal for an aborted one': around('find', (find, id, options) =>
      options?.signal === undefined ? find(id) : fail(),
    ),
  },
  'a call whose signal is aborted rejects with its reason, unless it resolves': {
    'rejects an aborted call with an error of its own': around('list', async (list, query, options) => {
      if (options?.signal?.aborted) throw new DOMException('aborted', 'AbortError');
      return list(query);
    }),
    'takes a cancellation for a store that does not answer': around('add', async (add, newPet, options) => {
      if (options?.signal?.aborted) throw new AnimalStoreError('store_unavailable', 'no answer');
      return add(newPet);
    }),
  },
  'an animal whose creation is aborted is stored whole or not at all': {
    'stores a part of an animal whose creation is aborted': around('add', async (add, newPet, options) => {
      await Promise.resolve();
      if (!options?.signal?.aborted) return add(newPet);
      await add({ name: newPet.name, categoryId: newPet.categoryId });
      throw options.signal.reason;
    }),
  },
  'a creation that is aborted is completed by calling addOnce again': {
    'forgets the key of a creation that is aborted once it is stored': vary((sound) => ({
      addOnce: async (newPet, key, options) => {
        await Promise.resolve();
        if (!options?.signal?.aborted) return sound.addOnce(newPet, key);
        await sound.add(newPet);
        throw options.signal.reason;
      },
    })),
  },
  'the abort of a call ends no call beside it': {
    'ends all creations of a batch if one of them is aborted': vary((sound) => {
      let batch: Promise<unknown> | undefined;
      let signals: AbortSignal[] = [];
      return {
        add: async (newPet, options) => {
          if (options?.signal) signals.push(options.signal);
          batch ??= setImmediate().then(() => {
            const aborted = signals.find((signal) => signal.aborted);
            [batch, signals] = [undefined, []];
            aborted?.throwIfAborted();
          });
          await batch;
          return sound.add(newPet);
        },
      };
    }),
    'answers concurrent calls for an animal by one, which any of them can end': vary((sound) => {
      const finding = new Map<bigint, Promise<unknown>>();
      return {
        find: async (id, options) => {
          const first = finding.get(id);
          if (first !== undefined) return first;
          const found = setImmediate().then(async () => {
            finding.delete(id);
            options?.signal?.throwIfAborted();
            return sound.find(id);
          });
          finding.set(id, found);
          return found;
        },
      };
    }),
  },
  'a call that has settled no longer listens to its signal': {
    'leaves a listener on the signal of each creation': around('add', async (add, newPet, options) => {
      options?.signal?.addEventListener('abort', () => undefined);
      return add(newPet, options);
    }),
    'leaves a listener on the signal of concurrent calls': vary((sound) => {
      let isBusy = false;
      return {
        list: async (query, options) => {
          if (isBusy) options?.signal?.addEventListener('abort', () => undefined);
          isBusy = true;
          await setImmediate();
          isBusy = false;
          return sound.list(query, options);
        },
      };
    }),
  },
  'a signal has no effect on a call that has settled': {
    'hides an animal again if the signal of its creation is aborted later': vary((sound) => {
      const signals = new Map<bigint, AbortSignal | null | undefined>();
      return {
        add: async (newPet, options) => {
          const pet = await sound.add(newPet);
          signals.set(pet.id, options?.signal);
          return pet;
        },
        find: async (id) => (signals.get(id)?.aborted ? undefined : sound.find(id)),
      };
    }),
  },
};
