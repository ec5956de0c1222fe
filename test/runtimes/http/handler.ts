import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { inMemory } from '../../support/in-memory-interface.js';

/** The options for both transports of the services on other runtimes. */
export const options = inMemory();

/** The Fetch handler on the in-memory adapters. */
export const handler = createFetchHandler(options);
