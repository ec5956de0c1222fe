/**
 * The animals and the API keys in a MongoDB database, on the official driver.
 *
 * @module
 */
export { ApiKeyError } from './api-key-error.js';
export { MongoApiKeys, type ApiKeyInfo, type MongoApiKeysOptions, type NewApiKey } from './mongo-api-keys.js';
export { MongoPetCatalogue, type MongoPetCatalogueOptions } from './mongo-pet-catalogue.js';
export { createMongoClient } from './mongodb-client.js';
