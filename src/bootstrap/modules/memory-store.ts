import { defineStore } from './built-in-store.js';

/** The store `memory`. */
export const memoryStore = defineStore({
  name: 'memory',
  settings: {},
  serveSettings: {},
  losesAnimals: true,
  keepsKeys: false,
  async module() {
    const { inMemoryModule } = await import('./in-memory-module.js');
    return inMemoryModule();
  },
});
