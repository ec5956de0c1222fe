/**
 * The animals and the API keys in a MongoDB database, on the official driver.
 *
 * @module
 */
export { MongoApiKeys, type MongoApiKeysOptions } from './mongo-api-keys.js';
export { MongoPetCatalogue, type MongoPetCatalogueOptions } from './mongo-pet-catalogue.js';
export { createMongoClient } from './mongodb-client.js';
