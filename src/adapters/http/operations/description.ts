import { ref } from '../bodies/schemas.js';
import { ERRORS, type ErrorCode } from '../pipeline/errors.js';

/** An Operation Object of OpenAPI 3.1, as far as the operations use it. */
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
  readonly responses: Responses;
}

interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: object;
  readonly description: string;
}

export type Responses = Readonly<Record<number, ResponseDescription>>;

interface ResponseDescription {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content: object;
}

export const PETS_TAG = 'pets';

/** The errors of every operation. Tools show the first example of a status, so the most frequent stands first. */
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

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
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

export function header(description: string, example: string): object {
  return { description, required: true, schema: { type: 'string' }, example };
}

export function optionalHeader(description: string, example: string): object {
  return { ...header(description, example), required: false };
}

export function jsonContent(schema: string, examples: Readonly<Record<string, unknown>>): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema: ref(schema), examples: Object.fromEntries(named) as object } };
}

export function responseObject(
  description: string,
  headers: ResponseDescription['headers'],
  content: object,
): ResponseDescription {
  return { description, headers: { ...headers, ...REQUEST_ID }, content };
}

/** @param own The operation's own codes, each with the message of its example, the most frequent first. */
export function errorResponses(own: Readonly<Partial<Record<ErrorCode, string>>>): Responses {
  const everywhere = EVERYWHERE.map((code) => [code, ERRORS[code].message]);
  const messages = [...Object.entries(own), ...everywhere] as [ErrorCode, string][];
  const statuses = new Set(messages.map(([code]) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const errors = messages.filter(([code]) => ERRORS[code].status === status);
      const description = errors.map(([code]) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n');
      const examples = Object.fromEntries(errors.map(([code, message]) => [code, { code, message, status }]));
      return [status, responseObject(description, ERROR_HEADERS[status] ?? {}, jsonContent('Error', examples))];
    }),
  );
}
