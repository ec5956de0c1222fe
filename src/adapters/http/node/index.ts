/**
 * The HTTP interface of an animal store on Node's own HTTP, and a server for any request handler.
 *
 * @module animal-store/node
 */
export type { ServerLimit } from '../server/faults.js';
export {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type RequestHandler,
} from '../server/http-server.js';
export { createListener, type Listener } from './listener.js';
export type { OnRefused, Refusal } from '../server/refusals.js';
export type { MinBodyRate } from '../server/connection-monitor.js';
