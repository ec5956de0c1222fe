import type { HttpRequest } from './request.js';

/**
 * Returns the address of the client of a request: that of the connection, or the one that trusted reverse proxies have written
 * into the header fields. It must not throw.
 *
 * @param remoteAddress The address that the connection comes from.
 * @param rawHeaders The names and values of the header fields in turn, in the order of arrival.
 */
export type ProxyTrust = (remoteAddress: string, rawHeaders: readonly string[]) => string;

/** The address of the client of a request; `undefined` if the transport does not know where the connection comes from. */
export function clientAddressOf(
  { remoteAddress, rawHeaders }: Pick<HttpRequest, 'remoteAddress' | 'rawHeaders'>,
  trustProxy: ProxyTrust | undefined,
): string | undefined {
  return remoteAddress === undefined || trustProxy === undefined
    ? remoteAddress
    : trustProxy(remoteAddress, rawHeaders);
}
