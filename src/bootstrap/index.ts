/**
 * The composition of the whole server with Inversify: modules, tokens, and what starts it.
 *
 * @module
 */
export { applicationModule } from './application-module.js';
export { createContainer } from './container.js';
export { httpModule, type HttpModuleOptions } from './http-module.js';
export { inMemoryModule } from './in-memory-module.js';
export { koaModule } from './koa-module.js';
export type { StorageLog } from './log.js';
export { mongodbModule, type MongodbModuleOptions } from './mongodb-module.js';
export type { StorageContext } from './outside-module.js';

export { startServer, type RunningServer, type StartConfig } from './server.js';
export { ConfigError } from './settings/config-error.js';
export { loadServerConfig, type ServerConfig } from './settings/server-config.js';
export type { Rate } from './settings/value-types.js';
export type { StoreMeter } from './store-meter.js';
export { TOKENS, type ReadinessCheck } from './tokens.js';
