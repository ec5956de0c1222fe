import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyLength, completeHeaders, httpErrorAnswer, type HttpAnswer } from '../answer.js';
import { ERROR_STATUS, type ErrorCode, type HttpError, type Limit } from '../errors.js';
import { clientAddressOf, type ProxyTrust } from '../proxy-trust.js';
import { send } from '../node/send.js';
import { requestIdOf } from '../request.js';
import { RefusalError } from './refusal-errors.js';

/** A request or a connection that the server itself has refused or ended. */
export interface Refusal {
  /** The HTTP status of the answer; if the connection was cut without one, the status that fits the reason best. */
  readonly status: number;
  /** The `code` that goes with the status. */
  readonly code: ErrorCode;
  /** The limit that was exceeded; `undefined` for a request that is not well-formed HTTP. */
  readonly limit: Limit | undefined;
  /** The `message` of the answer. It holds nothing that the client sent. */
  readonly reason: string;
  /**
   * The IP address of the client, as `trustProxy` finds it. Without that option, or if no header section has arrived, the address
   * that the connection comes from. `undefined` if the connection is closed already.
   */
  readonly clientAddress: string | undefined;
  /** The `X-Request-Id` of the answer; `undefined` if none could be sent. */
  readonly requestId: string | undefined;
}

/** Called for each refusal. A client that leaves within its request is not refused, though it gets a 400 if it still reads. */
export type OnRefused = (refusal: Refusal) => void;

/** What is known of a refusal: the address of the connection, the request if its header section has arrived, and its id. */
interface Circumstances {
  readonly remoteAddress: string | undefined;
  readonly request?: Pick<IncomingMessage, 'rawHeaders'> | undefined;
  readonly requestId?: string;
}

/** Reports a refusal. Any other error than a {@link RefusalError} means that the client has left, which is not reported. */
export type Report = (error: HttpError, circumstances: Circumstances) => void;

/** Makes a {@link Report} from the callback of the server's user. */
export function reportTo(onRefused: OnRefused | undefined, trustProxy: ProxyTrust | undefined): Report {
  return (error, { remoteAddress, request, requestId }) => {
    if (!(error instanceof RefusalError) || onRefused === undefined) return;
    const { code, limit, message: reason } = error;
    const clientAddress = clientAddressOf({ remoteAddress, rawHeaders: request?.rawHeaders ?? [] }, trustProxy);
    onRefused({ status: ERROR_STATUS[code], code, limit, reason, clientAddress, requestId });
  };
}

/** Answers a request with an error, and closes its connection once the request has arrived whole. Returns the request's id. */
export function answerWithError(response: ServerResponse, error: unknown): string {
  const requestId = requestIdOf(response.req.rawHeaders);
  send(response.req, response, closingAnswer(error, requestId));
  return requestId;
}

/** The whole answer to an error, as it is sent on a connection that is then closed. */
export function answerText(error: HttpError, requestId: string, isHead: boolean): string {
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
