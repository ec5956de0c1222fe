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
