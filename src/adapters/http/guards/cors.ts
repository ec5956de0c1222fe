import type { HttpAnswer } from '../answer.js';
import type { HeaderAdder } from '../operation.js';
import { onlyFieldValue, type HttpRequest } from '../request.js';

/** Cross-origin resource sharing, by which browsers let pages of other origins call the interface. */
export interface Cors {
  /** Adds the header fields that let a browser give the answer to the page. */
  readonly addHeaders: HeaderAdder;
  /** Whether a request is a preflight from an allowed origin: {@link PREFLIGHT} answers it, without a key. */
  allowsPreflight(request: HttpRequest): boolean;
}

/** The header fields of an answer that a page may read beside those that the Fetch Standard allows to all. */
const EXPOSED = 'Link, Location, X-Request-Id, Deprecation, Sunset, Retry-After, Idempotency-Replayed';

/** The answer to a preflight. It holds for two hours, the longest that every browser accepts. */
export const PREFLIGHT: HttpAnswer = {
  status: 204,
  headers: [
    'Access-Control-Allow-Methods',
    'GET, HEAD, POST',
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, X-Request-Id, Idempotency-Key',
    'Access-Control-Max-Age',
    '7200',
    'Cache-Control',
    'no-store',
  ],
  body: '',
};

const ANY_ORIGIN = '*';
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9.:[\]_-]+$/;

/** Whether a text is `*`, or an origin as browsers send it: `https://shop.example`, without a slash at the end. */
export function isCorsOrigin(text: string): boolean {
  if (text === ANY_ORIGIN) return true;
  if (!SCHEME_AND_HOST.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // The URL Standard gives no origin for schemes that it does not know, such as that of a mobile application.
  return origin === 'null' || origin === text;
}

/**
 * Allows pages of some origins to call the interface, by the CORS protocol of the Fetch Standard. A page sends its API key
 * in `Authorization`; cookies play no part, so `Access-Control-Allow-Credentials` is never sent.
 *
 * @param origins Each as {@link isCorsOrigin} wants it; `*` allows all.
 */
export function allowOrigins(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const anyOrigin = allowed.has(ANY_ORIGIN);

  function allowedOrigin({ rawHeaders }: HttpRequest): string | undefined {
    if (anyOrigin) return ANY_ORIGIN;
    const origin = onlyFieldValue(rawHeaders, 'origin');
    return origin !== undefined && allowed.has(origin) ? origin : undefined;
  }

  return {
    addHeaders(headers, request) {
      const origin = allowedOrigin(request);
      if (origin !== undefined) {
        headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
      }
      // Sent even if the origin is not allowed, so that no cache gives the answer for one origin to another.
      if (!anyOrigin) headers.push('Vary', 'Origin');
    },
    allowsPreflight: (request) => isPreflight(request) && allowedOrigin(request) !== undefined,
  };
}

function isPreflight({ method, rawHeaders }: HttpRequest): boolean {
  return (
    method === 'OPTIONS' &&
    onlyFieldValue(rawHeaders, 'origin') !== undefined &&
    onlyFieldValue(rawHeaders, 'access-control-request-method') !== undefined
  );
}
