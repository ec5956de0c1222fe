import { ServerResponse, type IncomingMessage } from 'node:http';
import { isListField, type HttpResponse } from '../pipeline/http-response.js';

/** Another one means that the response was injected, or that middleware has wrapped it. */
const { writeHead } = ServerResponse.prototype;

/** Takes the request too, because an injected response has no `req`, or an incomplete one. */
export function send(request: IncomingMessage, response: ServerResponse, own: HttpResponse): void {
  // Middleware that bounds the time of a request may have responded already, for example.
  if (response.headersSent) return;
  const isPlain = response.writeHead === writeHead && response.getHeaderNames().length === 0;
  if (isPlain) response.writeHead(own.status, own.headers as string[]);
  else setHeaders(response, own);
  // Node would drop the body of the response to a HEAD, but that costs time.
  if (request.method !== 'HEAD' && own.length > 0) {
    if (isPlain) writeAtOnce(response, own);
    else response.write(own.body);
  }
  endAfterRequest(request, response);
}

/** Middleware may have replaced `writeHead`, and need not understand a flat array of fields. */
function setHeaders(response: ServerResponse, { status, headers }: HttpResponse): void {
  response.statusCode = status;
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i] as string, headers[i + 1] as string];
    if (isListField(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

// If the connection closed earlier, a client that is still sending would get a reset. The server bounds the wait.
// An injected request does not say whether it is complete.
function endAfterRequest(request: IncomingMessage, response: ServerResponse): void {
  const { complete } = request as Partial<IncomingMessage>;
  if (complete === false) request.once('close', () => response.end()).resume();
  else response.end();
}

/** In one piece: `end(body)` would add an empty one, and gathering pieces costs more than sending one. */
function writeAtOnce(response: ServerResponse, { body, length }: HttpResponse): void {
  const { socket } = response;
  const isAscii = body.length === length;
  // Without it, `write` would hold the bytes back until the next tick.
  socket?.cork();
  // Both encodings give the same bytes for ASCII. For UTF-8, Node reserves three bytes for each character.
  response.write(body, isAscii ? 'latin1' : 'utf8');
  socket?.uncork();
}
