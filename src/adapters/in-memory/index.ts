/**
 * The animals and the keys in the memory of one process: for tests, trials, and embedding without a database.
 *
 * @module
 */
export { InMemoryApiKeys, type ApiKeyEntry } from './in-memory-api-keys.js';
export { InMemoryPetCatalogue } from './in-memory-pet-catalogue.js';
