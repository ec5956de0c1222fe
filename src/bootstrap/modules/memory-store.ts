import { flagOnly } from '../settings/setting.js';
import { text } from '../settings/value-types.js';
import { defineStore } from './built-in-store.js';

/** The store `memory`. */
export const memoryStore = defineStore({
  name: 'memory',
  settings: {},
  serveSettings: {
    animals: flagOnly<string | undefined>(
      'animals',
      'the animals that the store memory begins with: a file of NDJSON or CSV, or an export (default none)',
      text('file'),
      undefined,
    ),
  },
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
});
