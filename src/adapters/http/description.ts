import { ERROR_STATUS, type ErrorCode } from './errors.js';
import { ref } from './json/schemas.js';
import type { ResponseDescription, Responses } from './operation.js';

/** The tag of the operations on animals. */
export const PETS_TAG = 'pets';

/**
 * The messages of the errors with which every operation can answer, in examples. The first code of a status is the one that
 * a client meets most often: tools that take one example take the first.
 */
const EVERYWHERE = {
  bad_request: 'the request is not well-formed HTTP',
  unauthorized: 'Authorization must be "Bearer", a space, and an API key, given once',
  request_timeout: 'the request did not arrive in time',
  too_many_requests: 'the rate limit of the key is used up; try again later',
  headers_too_large: 'the header section must not be larger than 16 KiB',
  internal_error: 'internal server error',
  overloaded: 'too many requests are in flight; try again later',
  store_unavailable: 'the store did not answer in time; try again later',
} as const;

/** What each code means to a client of the operation. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_parameter: 'a parameter breaks a rule, which the message names',
  invalid_body: 'the body is missing, is not JSON, is not an object, lacks a member, or holds an invalid value',
  bad_request: 'the request is not well-formed HTTP, or ended before its body was complete',
  unauthorized: 'the API key is missing or invalid',
  pet_not_found: 'no animal has this id',
  route_not_found: 'the path does not exist, as with an empty `petId`',
  method_not_allowed: 'the path does not have the method that was sent; `Allow` lists those that it has',
  request_timeout: 'the request did not arrive in time; try again',
  precondition_failed: 'the file has another entity tag than `If-Match` lists',
  body_too_large: 'the body exceeds the limit of the service',
  unsupported_media_type: 'the body is not UTF-8 JSON, or is compressed',
  idempotency_key_reused:
    'the `Idempotency-Key` belongs to the creation of another animal; nothing was stored. Send each animal under a key of its own.',
  too_many_requests: 'the rate limit of the key is used up; try again after `Retry-After` seconds',
  headers_too_large: 'the header section exceeds 16 KiB',
  internal_error: 'the service failed; its log has the error under the `X-Request-Id`',
  overloaded:
    'more requests are in flight than the service accepts; nothing was stored. Try again after `Retry-After` seconds.',
  store_unavailable:
    'the store did not answer in time; a creation may or may not be stored. Try again after `Retry-After` seconds.',
};

const NEEDS_KEY =
  'Needs an API key as a bearer token: `Authorization: Bearer <key>`. The operator of the service issues keys, by `animal-store keys create` or in `API_KEYS`. A service that is started with neither, on the store `memory`, makes a key and prints it.';

const KEEPS_DIGITS =
  'Integers are 64-bit, in plain digits. `JSON.parse` and `JSON.stringify` of JavaScript round those beyond 2^53 − 1. Clients in JavaScript keep every digit with a parser such as `json-custom-numbers`, or with `RemotePetCatalogue` of `animal-store/remote`, whose integers are `bigint`.';

/** The description of an operation, in Markdown: these paragraphs, then those that hold for every operation. */
export function withNotes(...paragraphs: readonly string[]): string {
  return [...paragraphs, KEEPS_DIGITS, NEEDS_KEY].join('\n\n');
}

/** A reference to the header field that every answer carries. */
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

/** The header fields to which the Response Objects refer. */
export const commonHeaders = {
  'X-Request-Id': header(
    "The id of the request in the service's log: the client's own `X-Request-Id` if that is 1 to 128 of `A-Za-z0-9._-`, otherwise a new one",
    'd1d3d5a0-2f3e-4f0c-9d0b-6a1f3b0c7e11',
  ),
  'Retry-After': {
    description: 'After how many seconds to try again',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
};

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, object>>>> = {
  401: {
    'WWW-Authenticate': header(
      'The challenge of RFC 6750; with `error="invalid_token"` if the request has a key',
      'Bearer realm="animal-store"',
    ),
  },
  405: { Allow: header('The methods that the path has (RFC 9110)', 'GET, HEAD') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** A Header Object of a field that the answer always carries. */
export function header(description: string, example: string): object {
  return { description, required: true, schema: { type: 'string' }, example };
}

/** A Header Object of a field that the answer may carry. */
export function optionalHeader(description: string, example: string): object {
  return { ...header(description, example), required: false };
}

/**
 * A Media Type Object of JSON.
 *
 * @param examples Bodies by name. Tools that show or answer one of them take the first.
 */
export function jsonContent(schema: string, examples: Readonly<Record<string, unknown>>): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema: ref(schema), examples: Object.fromEntries(named) as object } };
}

/** A Response Object with a JSON body. */
export function success(
  description: string,
  headers: Readonly<Record<string, object>>,
  content: object,
): ResponseDescription {
  return { description, headers: { ...headers, ...REQUEST_ID }, content };
}

/**
 * The Response Objects of an operation's errors by status, with those of {@link EVERYWHERE}. Each has an example for each code.
 *
 * @param own The operation's own codes, each with the message of its example, the most frequent first.
 */
export function failures(own: Readonly<Partial<Record<ErrorCode, string>>>): Responses {
  const messages = Object.entries({ ...own, ...EVERYWHERE }) as [ErrorCode, string][];
  const statuses = new Set(messages.map(([code]) => ERROR_STATUS[code]));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const errors = messages.filter(([code]) => ERROR_STATUS[code] === status);
      const description = errors.map(([code]) => `\`${code}\`: ${MEANINGS[code]}`).join('\n\n');
      const examples = Object.fromEntries(errors.map(([code, message]) => [code, { code, message, status }]));
      const headers = { ...ERROR_HEADERS[status], ...REQUEST_ID };
      return [status, { description, headers, content: jsonContent('Error', examples) }];
    }),
  );
}
