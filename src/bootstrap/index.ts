/**
 * The composition of the whole server with Inversify: modules, tokens, and what starts it.
 *
 * @module
 */
export { applicationModule } from './application-module.js';
export { createContainer } from './container.js';
export { httpKoaModule } from './http-koa-module.js';
export { inMemoryModule } from './in-memory-module.js';
export { mongodbModule } from './mongodb-module.js';
export { startServer, type RunningServer } from './server.js';
export { ConfigError } from './settings/config-error.js';
export { loadServerConfig, type ServerConfig } from './settings/server-config.js';
export { TOKENS } from './tokens.js';
