/**
 * The HTTP interface of an animal store as a handler of the Fetch API. Uses only Web APIs.
 *
 * @module animal-store/fetch
 */
export { createFetchHandler, type FetchHandlerOptions } from './create-fetch-handler.js';
export type { ResponseLog } from '../run-handler.js';
export type { Log } from '../log.js';
export type { ApiServer } from '../reference/openapi.js';
export type { ProxyTrust } from '../proxy-trust.js';
export type { RateLimiter } from '../guards/rate-limit.js';
