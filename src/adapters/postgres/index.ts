/**
 * Adapters that keep animals and API keys in a PostgreSQL database, on node-postgres (`pg`).
 *
 * @module animal-store/postgres
 */
export { openPostgresDatabase, type PostgresDatabaseOptions } from './open-postgres-database.js';
export { MalformedRowError } from './pet-row.js';
export { PostgresApiKeyRegistry } from './postgres-api-key-registry.js';
export { PostgresApiKeys } from './postgres-api-keys.js';
export type { ConnectionAttempt, PostgresDatabase } from './postgres-database.js';
export { PostgresPetCatalogue } from './postgres-pet-catalogue.js';
