import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** What to ask for besides an address. */
export interface RequestInput {
  readonly method?: string;
  /** Sent as the bearer token. */
  readonly key?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: string;
}

/** A whole answer. */
export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request on a connection of its own, closed with the answer. */
export function send(url: string, { method, key, headers, body }: RequestInput = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      text(answer).then(
        (whole) => resolve({ status: answer.statusCode, headers: answer.headers, body: whole }),
        reject,
      );
    });
    sent.end(body);
  });
}
