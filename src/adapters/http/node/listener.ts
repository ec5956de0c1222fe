import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpInterface } from '../http-interface.js';
import { parseTarget } from '../target.js';
import { NodeRequest } from './node-request.js';
import { send } from './send.js';

/** Answers a request of Node; never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates a listener that serves an HTTP interface: for `createHttpServer`, `http.createServer`, or Express. */
export function createListener({ answer, answerBadTarget }: HttpInterface): Listener {
  return async (request, response) => {
    const { url = '' } = request;
    const target = parseTarget(url);
    const answered =
      target === undefined
        ? answerBadTarget(new NodeRequest(request, { path: url, query: '' }))
        : answer(new NodeRequest(request, target));
    send(request, response, await answered);
  };
}
