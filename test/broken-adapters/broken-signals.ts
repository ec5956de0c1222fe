import { AnimalStoreError } from '../../src/domain/errors.js';
import { varyOnce, type BrokenCatalogue } from './broken-catalogue.js';

const REASON_OR_RESULT = 'a call whose signal is aborted rejects with its reason, unless it resolves';

/** Catalogues that mistreat the signal of a call, by their fault. */
export const brokenSignals: Readonly<Record<string, BrokenCatalogue>> = {
  'takes each signal for an aborted one': {
    create: varyOnce((sound) => ({
      find: async (id, options) =>
        options?.signal === undefined ? sound.find(id) : Promise.reject(new Error('aborted')),
    })),
    caughtBy: 'a signal that is not aborted changes nothing',
  },
  'rejects an aborted call with an error of its own': {
    create: varyOnce((sound) => ({
      list: async (query, options) => {
        if (options?.signal?.aborted) throw new DOMException('aborted', 'AbortError');
        return sound.list(query);
      },
    })),
    caughtBy: REASON_OR_RESULT,
  },
  'takes a cancellation for a store that does not answer': {
    create: varyOnce((sound) => ({
      add: async (newPet, options) => {
        if (options?.signal?.aborted) throw new AnimalStoreError('store_unavailable', 'no answer');
        return sound.add(newPet);
      },
    })),
    caughtBy: REASON_OR_RESULT,
  },
  'stores a part of an animal whose creation is aborted': {
    create: varyOnce((sound) => ({
      add: async (newPet, options) => {
        await Promise.resolve();
        if (!options?.signal?.aborted) return sound.add(newPet);
        await sound.add({ name: newPet.name, categoryId: newPet.categoryId });
        throw options.signal.reason;
      },
    })),
    caughtBy: 'an animal whose creation is aborted is stored whole or not at all',
  },
  'forgets the key of a creation that is aborted once it is stored': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key, options) => {
        await Promise.resolve();
        if (!options?.signal?.aborted) return sound.addOnce(newPet, key);
        await sound.add(newPet);
        throw options.signal.reason;
      },
    })),
    caughtBy: 'a creation that is aborted is completed by calling addOnce again',
  },
  'hides an animal again if the signal of its creation is aborted later': {
    create: varyOnce((sound) => {
      const signals = new Map<bigint, AbortSignal | undefined>();
      return {
        add: async (newPet, options) => {
          const pet = await sound.add(newPet);
          signals.set(pet.id, options?.signal);
          return pet;
        },
        find: async (id) => (signals.get(id)?.aborted ? undefined : sound.find(id)),
      };
    }),
    caughtBy: 'a signal has no effect on a call that has settled',
  },
};
