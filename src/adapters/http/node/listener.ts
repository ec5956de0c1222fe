import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpInterface } from '../pipeline/pipeline.js';
import { NodeRequest } from './node-request.js';
import { send } from './send.js';

/** Answers a request of Node; never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates a listener that serves an HTTP interface: for `createHttpServer`, `http.createServer`, or Express. */
export function createListener({ respond }: HttpInterface): Listener {
  return async (request, response) => send(request, response, await respond(new NodeRequest(request)));
}
