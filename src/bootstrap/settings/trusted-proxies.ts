import proxyAddr from 'proxy-addr';
import type { ProxyTrust } from '../../adapters/http/pipeline/response-log.js';
import { listField } from '../../adapters/http/pipeline/header-fields.js';
import { rangeOfProxy } from './values.js';

/**
 * The address of a client behind reverse proxies: as long as an address, first the one of the connection, belongs to a trusted proxy,
 * takes the one that this proxy has added to `X-Forwarded-For`, without a port and brackets.
 */
export function trustedProxies(proxies: readonly string[]): ProxyTrust {
  const isTrusted = proxyAddr.compile(proxies.map(rangeOfProxy));
  return (remoteAddress, rawHeaders) => {
    const addresses = listField(rawHeaders, 'x-forwarded-for').split(',').map(addressOf);
    const headers = { 'x-forwarded-for': addresses.join(',') };
    const request: unknown = { headers, socket: { remoteAddress } };
    // proxy-addr reads nothing else of a request.
    return proxyAddr(request as Parameters<typeof proxyAddr>[0], isTrusted);
  };
}

/** The address of an entry, which may have a port: `192.0.2.1:80`, `[2001:db8::1]:80` or `[2001:db8::1]`. */
function addressOf(entry: string): string {
  const [, ipv4, ipv6] = /^(?:([0-9.]+)|\[([0-9A-Fa-f:.]+)\])(?::[0-9]+)?$/.exec(entry.trim()) ?? [];
  return ipv4 ?? ipv6 ?? entry;
}
