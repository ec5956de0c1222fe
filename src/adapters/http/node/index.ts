/**
 * The HTTP interface of an animal store on Node's own HTTP, and a server for any request handler.
 *
 * @module
 */
export type { ServerLimit } from './faults.js';
export { createHttpServer, type HttpServer, type HttpServerOptions, type RequestHandler } from './http-server.js';
export { createListener, type Listener } from './listener.js';
export type { OnRefused, Refusal } from './refusals.js';
export type { MinBodyRate } from './watch.js';
