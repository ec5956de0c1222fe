/**
 * The composition of the whole server with Inversify: modules, tokens, and what starts it.
 *
 * @module
 */
export { applicationModule } from './application-module.js';
export { loadServerConfig, type ServerConfig } from './config.js';
export { createContainer } from './container.js';
export { httpKoaModule } from './http-koa-module.js';
export { inMemoryModule } from './in-memory-module.js';
export { mongodbModule } from './mongodb-module.js';
export { ConfigError } from './read-settings.js';
export { startServer, type RunningServer } from './server.js';
export { TOKENS } from './tokens.js';
