/**
 * The animals and the API keys in a MongoDB database, on the official driver.
 *
 * @module animal-store/mongodb
 */
export { connectMongoClient, MongoConnectionError, type ConnectMongoClientOptions } from './connect-mongo-client.js';
export { plannedChanges, type Change, type MigrationOptions } from './schema/migration.js';
export { MongoApiKeyRegistry } from './api-keys/mongo-api-key-registry.js';
export { MongoApiKeys, type MongoApiKeysOptions } from './api-keys/mongo-api-keys.js';
export { MongoPetCatalogue, type MongoPetCatalogueOptions } from './pets/mongo-pet-catalogue.js';
export { createMongoClient, type CreateMongoClientOptions } from './client.js';
export type { MongoObserver, MongoOperation, MongoOperationName, OperationOptions } from './operation.js';
export { CollationError } from './schema/indexes.js';
export { ShardingError } from './schema/shard-keys.js';
export { MalformedDocumentError } from './pets/pet-document.js';
