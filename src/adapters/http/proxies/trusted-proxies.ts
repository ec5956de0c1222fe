import { BlockList, isIPv6 } from 'node:net';
import type { ProxyTrust } from '../proxy-trust.js';
import { forwardedAddresses } from './forwarded-addresses.js';
import { parseProxyRanges, PROXY_RANGE_RULE } from './proxy-range.js';

/**
 * Trusts reverse proxies by their addresses: for the option `trustProxy` of a transport or of `createHttpServer`.
 *
 * The search for the address of the client begins with the address that the connection comes from. As long as an address is that
 * of a trusted proxy, the search continues with the address that this proxy wrote into `X-Forwarded-For`; if there is no
 * `X-Forwarded-For`, with the one in `Forwarded` (RFC 7239). The search ends at a text that is not an IP address. A client cannot
 * forge its address by sending these fields itself, provided that the proxies add to them or replace them.
 *
 * @param proxies IP addresses, ranges such as `10.0.0.0/8`, `loopback` (`127.0.0.0/8` and `::1`), and `private` (`10.0.0.0/8`,
 * `172.16.0.0/12`, `192.168.0.0/16` and `fc00::/7`).
 * @throws TypeError for any other text.
 * @example
 * createApp({ store, apiKeys, trustProxy: trustedProxies(['loopback', '10.0.0.0/8']) });
 */
export function trustedProxies(proxies: readonly string[]): ProxyTrust {
  const trusted = new BlockList();
  for (const text of proxies) {
    const ranges = parseProxyRanges(text);
    if (ranges === undefined) throw new TypeError(`trusted proxies ${PROXY_RANGE_RULE}`);
    for (const { address, prefix, family } of ranges) trusted.addSubnet(address, prefix, family);
  }
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

  return (remoteAddress, rawHeaders) => {
    let client = remoteAddress;
    if (!isTrusted(client)) return client;
    for (const address of forwardedAddresses(rawHeaders)) {
      if (address === undefined) break;
      client = address;
      if (!isTrusted(client)) break;
    }
    return client;
  };
}
