import type { Socket } from 'node:net';
import type { Connection } from './connection.js';

/** The members of Node's HTTP parser that this file uses. Node does not document them. */
interface Parser {
  readonly constructor: { readonly kOnExecute?: number };
  /** Parses these bytes. Returns how many of them it has consumed, or what is wrong with them. */
  execute(bytes: Buffer): number | Error;
  /** The segment that was parsed last. */
  getCurrentBuffer(): Buffer;
  /** The listener at the index `kOnExecute`. */
  [index: number]: OnExecute;
}

/** Called with the result of parsing each segment that was read from the socket. */
type OnExecute = (result: number | Error) => void;

const hooked = new WeakSet<Connection>();

/**
 * Parses what follows a request with `Upgrade` on its connection as further requests. Node's parser stops after such a
 * request, because another protocol could begin there, and drops the rest of the segment. It resumes with the next segment,
 * in the middle of whatever was dropped, and could take a part of a body for a request.
 *
 * Node documents no way that works in all supported versions: Node 20 and 22 emit `upgrade` before the body of the request,
 * later versions after it, and `shouldUpgradeCallback` of Node 24 does not keep the rest either.
 *
 * @param onMalformed Called for errors that the parser would report only after the next header section.
 * @returns whether this version of Node has the hooks that this needs.
 */
export function parseBehindUpgrade(connection: Connection, onMalformed: () => void): boolean {
  if (hooked.has(connection)) return true;
  const { parser } = connection.socket as Socket & { readonly parser?: Parser };
  const index = parser?.constructor.kOnExecute ?? -1;
  const onExecute = parser?.[index];
  if (parser === undefined || onExecute === undefined) return false;
  hook(connection, parser, index, onExecute, onMalformed);
  hooked.add(connection);
  return true;
}

function hook(
  connection: Connection,
  parser: Parser,
  index: number,
  onExecute: OnExecute,
  onMalformed: () => void,
): void {
  /** The `requestCount` of the connection when a request last arrived whole. */
  let wholeCount = 0;

  function queueRest(segment: Buffer, result: number | Error): void {
    if (typeof result !== 'number' || connection.state !== 'open') return;
    const { latest, requestCount } = connection;
    const isBehindRequest = latest?.req.complete === true && requestCount !== wholeCount;
    if (isBehindRequest) wholeCount = requestCount;
    if (result === segment.length) return;
    if (!isBehindRequest) {
      onMalformed();
      return;
    }
    const rest = segment.subarray(result);
    connection.later(() => {
      if (connection.state !== 'open') return;
      const restResult = parser.execute(rest);
      onExecute(restResult);
      queueRest(rest, restResult);
    });
  }

  parser[index] = (result) => {
    const segment = parser.getCurrentBuffer();
    onExecute(result);
    queueRest(segment, result);
  };
}
