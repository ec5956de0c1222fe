import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The part of Node's HTTP parser that is used here. Node does not document it. */
interface Parser {
  /** A copy of the segment that is being parsed. */
  getCurrentBuffer?(): Buffer;
}

/**
 * Whether Node's parser has taken a request line that is malformed (RFC 9112, section 3): with two blanks where there must be
 * one, or for the protocol RTSP. Sees only a line that begins a segment and is whole in it (ADR 84). To be called while Node
 * hands over the request.
 */
export function hasMalformedRequestLine({ method = '', url = '', socket }: IncomingMessage): boolean {
  const { parser } = socket as Socket & { readonly parser?: Parser | null };
  const line = `${method} ${url} HTTP/`;
  const sent = parser?.getCurrentBuffer?.().toString('latin1', 0, line.length) ?? line;
  return sent !== line && (sent.startsWith(`${method}  `) || sent.startsWith(`${method} ${url} `));
}
