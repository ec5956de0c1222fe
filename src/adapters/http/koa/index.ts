/**
 * The HTTP interface of an animal store as a Koa application.
 *
 * @module animal-store/koa
 */
export { createApp } from './create-app.js';
export type { HttpInterfaceOptions } from '../http-interface-options.js';
export type { ApiServer } from '../operations/openapi.js';
export type { Log } from '../pipeline/log.js';
export type { RateLimiter } from '../pipeline/rate-limit.js';
export type { ProxyTrust, ResponseLog } from '../pipeline/response-log.js';
