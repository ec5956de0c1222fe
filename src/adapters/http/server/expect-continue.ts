import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers `Expect: 100-continue` with 100 (Continue) only when the handler reads the body. A client whose request is
 * answered without its body then does not send it.
 *
 * If the body has arrived all the same, still sends 100 (Continue) before the answer. Otherwise Node would close the
 * connection after the answer, because it could not know whether a body follows.
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
