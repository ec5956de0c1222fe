/**
 * The animal store over HTTP, as a Koa application.
 *
 * @module
 */
export { createApp, type App, type AppOptions } from './create-app.js';
export { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server.js';
export type { Log } from './log.js';
export type { ApiServer } from './openapi.js';
