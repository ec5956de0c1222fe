import type { ServerResponse } from 'node:http';
import type { HttpAnswer } from '../answer.js';

/**
 * Writes an answer to Node's response, unless one has been sent already: a request that times out while its operation
 * runs is answered by the server.
 */
export function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  if (response.headersSent) return;
  response.writeHead(status, headers as string[]);
  endAfterRequest(response, body);
}

/**
 * Sends a body at once, but ends the exchange only when the whole request has arrived. If the connection closed earlier, a
 * client that is still sending would get a reset instead of the answer. The server's time-out for requests bounds the wait.
 */
function endAfterRequest(response: ServerResponse, body: HttpAnswer['body']): void {
  if (response.req.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  response.req.once('close', () => response.end()).resume();
}
