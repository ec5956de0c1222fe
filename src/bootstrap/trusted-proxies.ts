import proxyAddr from 'proxy-addr';
import type { ProxyTrust } from '../adapters/http/pipeline/response-log.js';
import { listField } from '../adapters/http/pipeline/header-fields.js';
import { rangeOfProxy } from './values.js';

/**
 * Finds the address of a client behind reverse proxies: that of the connection, and as long as an address is that of a trusted
 * proxy, the one that this proxy has added to `X-Forwarded-For`, as it wrote it.
 *
 * @param proxies As the setting `trustProxy` has them.
 */
export function trustedProxies(proxies: readonly string[]): ProxyTrust {
  const isTrusted = proxyAddr.compile(proxies.map(rangeOfProxy));
  return (remoteAddress, rawHeaders) => {
    const headers = { 'x-forwarded-for': listField(rawHeaders, 'x-forwarded-for') };
    const request: unknown = { headers, socket: { remoteAddress } };
    // proxy-addr reads nothing else of a request.
    return proxyAddr(request as Parameters<typeof proxyAddr>[0], isTrusted);
  };
}
