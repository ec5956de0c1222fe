/**
 * Adapters that keep animals and API keys in the memory of one process: for tests, trials, and embedding without a database, on
 * any runtime.
 *
 * @module animal-store/in-memory
 */
export { InMemoryApiKeys, type ApiKeyEntry } from './in-memory-api-keys.js';
export { InMemoryPetCatalogue } from './in-memory-pet-catalogue.js';
