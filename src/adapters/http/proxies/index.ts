/**
 * Finds the addresses of clients behind reverse proxies. Needs `forwarded-parse`, and a runtime that has `node:net`.
 *
 * @module animal-store/proxies
 */
export { trustedProxies } from './trusted-proxies.js';
export type { ProxyTrust } from '../proxy-trust.js';
