/**
 * The HTTP interface of an animal store without a framework, for your own transport.
 *
 * @module animal-store/http
 */
export type { HttpInterfaceOptions } from './http-interface-options.js';
export { createHttpInterface } from './http-interface.js';
export { petJson, petsJson } from './bodies/pet-json.js';
export type { ApiServer } from './operations/openapi.js';
export {
  bodyIncomplete,
  bodyTooLarge,
  ERROR_STATUS,
  HttpError,
  type ErrorCode,
  type Limit,
} from './pipeline/errors.js';
export type { HttpRequest } from './pipeline/http-request.js';
export type { HttpResponse } from './pipeline/http-response.js';
export type { Log } from './pipeline/log.js';
export type { HttpHandler, HttpInterface, Route } from './pipeline/pipeline.js';
export type { RateLimiter } from './pipeline/rate-limit.js';
export type { ProxyTrust, ResponseLog } from './pipeline/response-log.js';
