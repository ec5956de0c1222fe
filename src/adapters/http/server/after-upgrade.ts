import type { Socket } from 'node:net';
import type { Connection } from './connection.js';

/** The parts of Node's HTTP parser that are used here. Node does not document them. */
interface Parser {
  readonly constructor: { readonly kOnExecute?: number };
  /** Parses these bytes; how many of them it has taken, or what is wrong with them. */
  execute(bytes: Buffer): number | Error;
  /** The segment that has just been parsed. */
  getCurrentBuffer(): Buffer;
  /** At the index `kOnExecute`: gets the result of each segment that the parser has read from the socket. */
  [index: number]: OnExecute;
}

/** What is called with the result of each segment. */
type OnExecute = (result: number | Error) => void;

const hooked = new WeakSet<Connection>();

/**
 * Makes ordinary requests of what follows a request with `Upgrade` on its connection. Node's parser stops behind such a
 * request, because another protocol could begin there, and drops the rest of the segment. It goes on with the next segment,
 * so it would take the rest of the body of a dropped request for a request.
 *
 * No documented way serves all supported versions: Node 20 and 22 emit `upgrade` before the body of the request, later
 * versions after it, and `shouldUpgradeCallback` of Node 24 does not keep the rest either.
 *
 * @param onMalformed Called for errors that the parser keeps silent about until the next header section has ended.
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
  /** How many requests had been taken on when the last one had arrived whole. */
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
