import type { ServerResponse } from 'node:http';
import { bodyLength, isListField, type HttpAnswer } from '../answer.js';

/**
 * Writes an answer to Node's response, unless the server has answered already, because the request timed out while its
 * operation ran.
 */
export function send(response: ServerResponse, answer: HttpAnswer): void {
  if (response.headersSent) return;
  writeHeaders(response, answer.status, answer.headers);
  // Node would drop the body of an answer to HEAD, but that costs time.
  if (response.req.method !== 'HEAD') writeAtOnce(response, answer);
  endAfterRequest(response);
}

/** Adds the header fields to those that the response has already; at once if it has none, which costs less. */
function writeHeaders(response: ServerResponse, status: number, headers: readonly string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers as string[]);
    return;
  }
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i] as string, headers[i + 1] as string];
    if (isListField(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

/**
 * Ends the response once the whole request has arrived. Otherwise the connection could close earlier, and a client that is
 * still sending would get a reset instead of the answer. The server's time-out for requests bounds the wait.
 */
function endAfterRequest(response: ServerResponse): void {
  if (response.req.complete) response.end();
  else response.req.once('close', () => response.end()).resume();
}

/**
 * Hands the header section and the body to the operating system in one piece, if the body is a text. `end(body)` would add
 * an empty piece, and gathering pieces costs more than sending one.
 */
function writeAtOnce(response: ServerResponse, answer: HttpAnswer): void {
  const { socket } = response;
  const { body } = answer;
  const isAscii = body.length === bodyLength(answer);
  // Without this, `write` would hold the bytes back until the next tick, and `end` would find them unsent.
  socket?.cork();
  // Of ASCII, both encodings are the same bytes. For UTF-8, Node sets three bytes aside for each character.
  response.write(body, isAscii ? 'latin1' : 'utf8');
  socket?.uncork();
}
