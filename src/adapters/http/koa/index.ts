/**
 * The HTTP interface of an animal store as a Koa application.
 *
 * @module animal-store/koa
 */
export { createApp, type AppOptions } from './create-app.js';
export type { ResponseLog } from '../run-handler.js';
export type { Log } from '../log.js';
export type { ApiServer } from '../reference/openapi.js';
export type { ProxyTrust } from '../proxy-trust.js';
export type { RateLimiter } from '../guards/rate-limit.js';
