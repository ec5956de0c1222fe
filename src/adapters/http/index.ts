/**
 * The HTTP interface of an animal store without a framework, for your own transport.
 *
 * @module animal-store/http
 */
export type { ResponseLog } from './run-handler.js';
export type { HttpAnswer } from './answer.js';
export { bodyIncomplete, bodyTooLarge, ERROR_STATUS, HttpError, type ErrorCode, type Limit } from './errors.js';
export type { HttpInterfaceOptions } from './http-interface-options.js';
export { createHttpInterface, type HttpInterface } from './http-interface.js';
export type { Log } from './log.js';
export type { HttpHandler } from './operation.js';
export type { ApiServer } from './reference/openapi.js';
export { petJson, petsJson } from './json/pet-json.js';
export type { ProxyTrust } from './proxy-trust.js';
export type { RateLimiter } from './guards/rate-limit.js';
export type { HttpRequest } from './request.js';
export type { Route } from './route-index.js';
export { parseTarget, type Target } from './target.js';
