import { ERROR_STATUS, type ErrorCode } from './errors.js';
import type { ResponseDescription, Responses } from './operation.js';

/** The codes with which every operation can answer. */
export const EVERYWHERE = [
  'bad_request',
  'unauthorized',
  'request_timeout',
  'too_many_requests',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'store_unavailable',
] as const;

const RETRY_AFTER = { 'Retry-After': header('After how many seconds to try again') };

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, object>>>> = {
  401: { 'WWW-Authenticate': header('The challenge of RFC 6750') },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** A Reference Object to a schema of the document. */
export function ref(schema: string): object {
  return { $ref: `#/components/schemas/${schema}` };
}

/** A Header Object. */
export function header(description: string): object {
  return { description, schema: { type: 'string' } };
}

/** A Response Object with a JSON body. */
export function success(
  schema: string,
  description: string,
  headers: Readonly<Record<string, object>>,
): ResponseDescription {
  return { description, headers, content: { 'application/json': { schema: ref(schema) } } };
}

/** The Response Objects of some errors by status. Each one's description lists its codes. */
export function failures(...codes: readonly ErrorCode[]): Responses {
  const content = { 'application/json': { schema: ref('Error') } };
  const statuses = new Set(codes.map((code) => ERROR_STATUS[code]));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const own = codes.filter((code) => ERROR_STATUS[code] === status).map((code) => `\`${code}\``);
      const headers = ERROR_HEADERS[status];
      return [status, { description: own.join(', '), ...(headers !== undefined && { headers }), content }];
    }),
  );
}
