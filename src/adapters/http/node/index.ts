/**
 * An HTTP server on Node for any request handler.
 *
 * @module
 */
export { createHttpServer, type HttpServer, type HttpServerOptions, type RequestHandler } from './http-server.js';
