/**
 * What bundlers for browsers take as `animal-store/in-memory`: without the API keys, which need `node:crypto`.
 *
 * @module animal-store/in-memory
 */
export { InMemoryPetCatalogue, type InMemoryPetCatalogueOptions } from './in-memory-pet-catalogue.js';
