import type { ServerResponse } from 'node:http';
import { bodyLength, isListField, type HttpAnswer } from '../answer.js';

/**
 * Writes an answer to Node's response, unless one has been sent already: a request that times out while its operation
 * runs is answered by the server.
 */
export function send(response: ServerResponse, answer: HttpAnswer): void {
  if (response.headersSent) return;
  writeHeaders(response, answer.status, answer.headers);
  writeAtOnce(response, answer);
  endAfterRequest(response);
}

/** Adds the header fields to those that the response has already; at once if it has none, which costs less. */
function writeHeaders(response: ServerResponse, status: number, headers: readonly string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers as string[]);
    return;
  }
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name, value] = [headers[i] as string, headers[i + 1] as string];
    if (isListField(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

/**
 * Ends the exchange when the whole request has arrived. If the connection closed earlier, a client that is still sending would
 * get a reset instead of the answer. The server's time-out for requests bounds the wait.
 */
function endAfterRequest(response: ServerResponse): void {
  if (response.req.complete) response.end();
  else response.req.once('close', () => response.end()).resume();
}

/**
 * Hands an answer to the operating system: its header section and a text in one piece. `end(body)` would put an empty piece
 * behind them, and to gather pieces costs more than to send one.
 */
function writeAtOnce(response: ServerResponse, answer: HttpAnswer): void {
  const { socket } = response;
  const { body } = answer;
  const isAscii = body.length === bodyLength(answer);
  // Without this, `write` would keep the bytes until the next tick, and `end` would find them unsent.
  socket?.cork();
  // Of ASCII, both encodings are the same bytes. For UTF-8, Node sets three bytes aside for each character.
  response.write(body, isAscii ? 'latin1' : 'utf8');
  socket?.uncork();
}
