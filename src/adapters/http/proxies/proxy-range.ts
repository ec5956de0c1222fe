import { isIP } from 'node:net';

/** The ranges that have a name. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** The rule for {@link parseProxyRanges}, for an error message. */
export const PROXY_RANGE_RULE = 'must be IP addresses, ranges such as 10.0.0.0/8, and the words loopback and private';

/**
 * Reads an IP address, a range in CIDR notation (`10.0.0.0/8`), `loopback` (`127.0.0.0/8` and `::1`), or `private`
 * (`10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` and `fc00::/7`). Returns ranges as `addSubnet` of Node's `BlockList` takes them,
 * and `undefined` for any other text.
 */
export function parseProxyRanges(text: string) {
  const texts = NAMED.get(text) ?? [text];
  const ranges = texts.map(parseRange).filter((range) => range !== undefined);
  return ranges.length === texts.length ? ranges : undefined;
}

function parseRange(text: string) {
  const { address = '', bits } = /^(?<address>[0-9a-fA-F.:]+)(?:\/(?<bits>\d{1,3}))?$/.exec(text)?.groups ?? {};
  const version = isIP(address);
  if (version === 0) return undefined;
  const [family, all] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const prefix = bits === undefined ? all : Number(bits);
  return prefix > all ? undefined : { address, prefix, family };
}
