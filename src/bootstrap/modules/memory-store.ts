import type { BuiltInStore } from './built-in-store.js';

/** The store `memory`. */
export const memoryStore: BuiltInStore = {
  name: 'memory',
  persistentSettings: [],
  losesAnimals: true,
  keepsKeys: false,

  async check({ animals }, isChosen) {
    const isIgnored = animals !== undefined && !isChosen;
    return isIgnored ? ['--animals needs the store memory: import the file into another store'] : [];
  },

  async module({ animals }) {
    const { inMemoryModule } = await import('./in-memory-module.js');
    if (animals === undefined) return inMemoryModule();
    const { catalogueOfFile } = await import('../files/catalogue-of-file.js');
    return inMemoryModule(undefined, async () => catalogueOfFile(animals));
  },
};
