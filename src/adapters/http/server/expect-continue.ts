import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Asks for the body of a request with `Expect: 100-continue` when the handler reads it: a request that is answered without
 * its body must not send it.
 *
 * If the body has arrived unasked, 100 (Continue) still comes before the answer: without it, Node would close the
 * connection after the answer, because it could not know whether the body follows.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  let hasAsked = false;
  function ask(): void {
    if (hasAsked || response.headersSent) return;
    hasAsked = true;
    response.writeContinue();
  }

  request.once('resume', ask);
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    if (request.complete) ask();
    return writeHead(...args);
  };
}
