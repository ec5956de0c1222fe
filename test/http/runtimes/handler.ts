import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';

/** The key that the services on other runtimes accept. */
export const KEY = 'a-key-for-the-HTTP-suite';

/** The options for both transports of these services. */
export const options = {
  store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
  apiKeys: new InMemoryApiKeys([{ name: 'tests', key: KEY }]),
};

/** The Fetch handler on the in-memory adapters. */
export const handler = createFetchHandler(options);
