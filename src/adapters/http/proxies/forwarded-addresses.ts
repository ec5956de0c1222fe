import { isIP } from 'node:net';
import parse from 'forwarded-parse';
import { fieldValues } from '../request.js';

/**
 * The addresses from which the proxies of a request say that they received it, beginning with the nearest proxy. Contains
 * `undefined` for anything that is not an IP address, such as `unknown` (RFC 7239, section 6).
 *
 * Reads `X-Forwarded-For` if there is one, and `Forwarded` (RFC 7239) otherwise. Ends before a line of `Forwarded` that is
 * malformed.
 */
export function forwardedAddresses(rawHeaders: readonly string[]): readonly (string | undefined)[] {
  const lists = fieldValues(rawHeaders, 'x-forwarded-for');
  const nodes = lists.length > 0 ? nodesOfLists(lists) : nodesOfForwarded(fieldValues(rawHeaders, 'forwarded'));
  return nodes.map(addressOf);
}

/** The nodes of `X-Forwarded-For`. All its lines form one list. Empty elements are ignored. */
function nodesOfLists(lists: readonly string[]): readonly string[] {
  const elements = lists.flatMap((list) => list.split(','));
  const nodes = elements.map((element) => element.trim());
  return nodes.filter((node) => node !== '').reverse();
}

function nodesOfForwarded(lines: readonly string[]): readonly string[] {
  const nodes: string[] = [];
  for (const line of lines.toReversed()) {
    try {
      const elements = parse(line);
      nodes.push(...elements.map(({ for: node = '' }) => node).reverse());
    } catch {
      // The line is malformed.
      break;
    }
  }
  return nodes;
}

/** The IP address of a node, without a port and brackets: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`. */
function addressOf(node: string): string | undefined {
  const { v4, v6 = v4 } = /^(?:(?<v4>[\d.]{7,15})|\[(?<v6>[^\]]{2,45})\])(?::[\w.-]{1,99})?$/.exec(node)?.groups ?? {};
  const address = v6 ?? node;
  return isIP(address) === 0 ? undefined : address;
}
