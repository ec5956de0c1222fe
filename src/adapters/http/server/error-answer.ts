import { STATUS_CODES, type ServerResponse } from 'node:http';
import { bodyLength, completeHeaders, httpErrorAnswer, type HttpAnswer } from '../answer.js';
import type { HttpError } from '../errors.js';
import { send } from '../node/send.js';

/** Answers a request with an error, and closes its connection once the request has arrived whole. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  send(response.req, response, closingAnswer(error, requestId));
}

/** The whole answer to an error, as it is sent on a connection that is then closed. */
export function errorText(error: HttpError, requestId: string, isHead: boolean): string {
  const { status, headers, body } = closingAnswer(error, requestId);
  const fields = [...headers, 'Date', new Date().toUTCString()].map((part, i) => part + (i % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${isHead ? '' : body.toString()}`;
}

function closingAnswer(error: unknown, requestId: string): HttpAnswer {
  const answer = httpErrorAnswer(error);
  const headers = completeHeaders(answer, bodyLength(answer), requestId);
  headers.push('Cache-Control', 'no-store', 'Connection', 'close');
  return { ...answer, headers };
}
