import { networkInterfaces } from 'node:os';

/** Whether this machine has an IPv6 address. */
export function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
}
