/**
 * The composition of the whole server with Inversify: modules, tokens, and the function that starts it.
 *
 * @module animal-store/bootstrap
 */
export { applicationModule } from './modules/application-module.js';
export { ConfigError } from './settings/config-error.js';
export { createContainer } from './container.js';
export { httpModule, type HttpModuleOptions } from './modules/http-module.js';
export { inMemoryModule } from './modules/in-memory-module.js';
export { koaModule } from './modules/koa-module.js';
export { mongodbModule, type MongodbModuleOptions } from './modules/mongodb-module.js';
export { postgresModule, type PostgresModuleOptions } from './modules/postgres-module.js';
export { remoteModule } from './modules/remote-module.js';
export type { StorageContext } from './stores/own-store.js';
export { sqliteModule, type SqliteModuleOptions } from './modules/sqlite-module.js';
export { startServer, type RunningServer, type StartConfig } from './server.js';
export type { ServerConfig } from './settings/settings.js';
export type { StoreAccess } from './stores/store-access.js';
export { TOKENS, type ReadinessCheck, type StoreMeter } from './tokens.js';
export type { Rate } from './settings/values.js';
