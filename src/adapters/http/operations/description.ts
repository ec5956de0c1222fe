import { ref } from '../json/schemas.js';
import { ERRORS, type ErrorCode } from '../pipeline/errors.js';

/** An Operation Object of OpenAPI 3.1, with the members that the operations use. */
export interface OperationDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly deprecated?: boolean;
  /** The day on which a deprecated operation is removed: `2030-12-05`. Tools that detect breaking changes read it. */
  readonly 'x-sunset'?: string;
  readonly parameters?: readonly ParameterDescription[];
  readonly requestBody?: object;
  /** By HTTP status. */
  readonly responses: Responses;
}

/** A Parameter Object. */
export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: object;
  readonly description: string;
}

/** A Responses Object: Response Objects by HTTP status. */
export type Responses = Readonly<Record<number, ResponseDescription>>;

/** A Response Object. */
export interface ResponseDescription {
  readonly description: string;
  /** The header fields that the answer may carry, by name. */
  readonly headers?: Readonly<Record<string, object>>;
  readonly content: object;
}

/** The tag of the operations on animals. */
export const PETS_TAG = 'pets';

/**
 * The errors that every operation can answer. The first code of a status is the most frequent one: tools that show one example
 * take the first.
 */
const EVERYWHERE = [
  'bad_request',
  'unauthorized',
  'request_timeout',
  'too_many_requests',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

const NEEDS_KEY =
  'Needs an API key as a bearer token: `Authorization: Bearer <key>`. The operator of the service issues keys, by `animal-store keys create` or in `API_KEYS`. A service that is started with neither, on the store `memory`, makes a key and prints it.';

const KEEPS_DIGITS =
  'Integers are 64-bit, in plain digits. `JSON.parse` and `JSON.stringify` of JavaScript round those beyond 2^53 − 1. Clients in JavaScript keep every digit with a parser such as `json-custom-numbers`, or with `RemotePetCatalogue` of `animal-store/remote`, whose integers are `bigint`.';

/** The description of an operation, in Markdown: these paragraphs, followed by those of every operation. */
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
    description: 'How many seconds to wait before a retry',
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
 * @param examples Bodies by name. Tools that show or return a single example take the first.
 */
export function jsonContent(schema: string, examples: Readonly<Record<string, unknown>>): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema: ref(schema), examples: Object.fromEntries(named) as object } };
}

/** A Response Object with a JSON body. */
export function successResponse(
  description: string,
  headers: Readonly<Record<string, object>>,
  content: object,
): ResponseDescription {
  return { description, headers: { ...headers, ...REQUEST_ID }, content };
}

/**
 * The Response Objects of an operation's errors by status, including those of {@link EVERYWHERE}. Each has an example for every
 * code.
 *
 * @param own The operation's own codes, each with the message of its example, the most frequent first.
 */
export function errorResponses(own: Readonly<Partial<Record<ErrorCode, string>>>): Responses {
  const everywhere = EVERYWHERE.map((code) => [code, ERRORS[code].message]);
  const messages = [...Object.entries(own), ...everywhere] as [ErrorCode, string][];
  const statuses = new Set(messages.map(([code]) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const errors = messages.filter(([code]) => ERRORS[code].status === status);
      const description = errors.map(([code]) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n');
      const examples = Object.fromEntries(errors.map(([code, message]) => [code, { code, message, status }]));
      const headers = { ...ERROR_HEADERS[status], ...REQUEST_ID };
      return [status, { description, headers, content: jsonContent('Error', examples) }];
    }),
  );
}
