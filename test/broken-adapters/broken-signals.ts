import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { varyOnce } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

const REASON_OR_RESULT = 'a call whose signal is aborted rejects with its reason, unless it resolves';

/** Catalogues that mistreat the signal of a call, by their fault. */
export const brokenSignals = byFault<() => PetCatalogue>({
  'a signal that is not aborted changes nothing, and neither do options without one': {
    'takes each signal for an aborted one': varyOnce((sound) => ({
      find: async (id, options) =>
        options?.signal === undefined ? sound.find(id) : Promise.reject(new Error('aborted')),
    })),
  },
  [REASON_OR_RESULT]: {
    'rejects an aborted call with an error of its own': varyOnce((sound) => ({
      list: async (query, options) => {
        if (options?.signal?.aborted) throw new DOMException('aborted', 'AbortError');
        return sound.list(query);
      },
    })),
    'takes a cancellation for a store that does not answer': varyOnce((sound) => ({
      add: async (newPet, options) => {
        if (options?.signal?.aborted) throw new AnimalStoreError('store_unavailable', 'no answer');
        return sound.add(newPet);
      },
    })),
  },
  'an animal whose creation is aborted is stored whole or not at all': {
    'stores a part of an animal whose creation is aborted': varyOnce((sound) => ({
      add: async (newPet, options) => {
        await Promise.resolve();
        if (!options?.signal?.aborted) return sound.add(newPet);
        await sound.add({ name: newPet.name, categoryId: newPet.categoryId });
        throw options.signal.reason;
      },
    })),
  },
  'a creation that is aborted is completed by calling addOnce again': {
    'forgets the key of a creation that is aborted once it is stored': varyOnce((sound) => ({
      addOnce: async (newPet, key, options) => {
        await Promise.resolve();
        if (!options?.signal?.aborted) return sound.addOnce(newPet, key);
        await sound.add(newPet);
        throw options.signal.reason;
      },
    })),
  },
  'a signal has no effect on a call that has settled': {
    'hides an animal again if the signal of its creation is aborted later': varyOnce((sound) => {
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
  },
});
