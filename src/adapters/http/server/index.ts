/**
 * The HTTP interface of an animal store as a listener for Node's own HTTP, and a server for any listener.
 *
 * @module animal-store/node
 */
export { createListener, type Listener } from '../node/listener.js';
export type { Limit } from '../pipeline/errors.js';
export type { ProxyTrust } from '../pipeline/response-log.js';
export { createHttpServer, type HttpServer, type HttpServerOptions, type RequestHandler } from './http-server.js';
export type { OnRejected, Rejection } from './rejections.js';
