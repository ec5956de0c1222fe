/**
 * The animals and the API keys in a MongoDB database, on the official driver.
 *
 * @module animal-store/mongodb
 */
export { createMongoClient, type CreateMongoClientOptions } from './client.js';
export { prepareDatabase } from './preparation.js';
export { MongoPetCatalogue } from './mongo-pet-catalogue.js';
export { MongoApiKeys } from './mongo-api-keys.js';
export { MongoApiKeyRegistry } from './mongo-api-key-registry.js';
export { MalformedDocumentError } from './pet-document.js';
export type { MongoObserver, MongoOperation, MongoOperationName, OperationOptions } from './operation.js';
