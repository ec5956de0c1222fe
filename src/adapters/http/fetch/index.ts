/**
 * The HTTP interface of an animal store as a handler of the Fetch API. Uses only Web APIs.
 *
 * @module animal-store/fetch
 */
export { createFetchHandler, type FetchHandlerOptions } from './create-fetch-handler.js';
export type { ApiServer } from '../operations/openapi.js';
export type { Log } from '../pipeline/log.js';
export type { RateLimiter } from '../pipeline/rate-limit.js';
export type { ProxyTrust, ResponseLog } from '../pipeline/response-log.js';
