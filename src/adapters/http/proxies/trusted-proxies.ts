import { BlockList, isIPv6 } from 'node:net';
import type { ProxyTrust } from '../proxy-trust.js';
import { forwardedAddresses } from './forwarded-addresses.js';
import { parseProxyRanges, PROXY_RANGE_RULE } from './proxy-range.js';

/**
 * Trusts reverse proxies by their addresses: for the option `trustProxy` of a transport or of `createHttpServer`.
 *
 * The address of a client is found from the connection backwards: while an address is that of a trusted proxy, the one that this
 * proxy has written into `X-Forwarded-For` is taken instead. If there is no `X-Forwarded-For`, that of `Forwarded` (RFC 7239)
 * is. What a client itself has written there therefore has no effect, as long as the proxies add to the field or replace it.
 * A text that is not an IP address ends the search.
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
