import { addToList, type HttpAnswer } from './answer.js';
import { onlyFieldValue, type HttpRequest } from './request.js';

/** The header fields of answers that a page may read, in addition to those that the Fetch Standard always exposes. */
const EXPOSED = 'Link, Location, X-Request-Id, Deprecation, Sunset, Retry-After, Idempotency-Replayed';
/** How long browsers may cache the answer to a preflight: two hours, the longest time that all browsers accept. */
const MAX_AGE_SECONDS = 7200;

const ANY_ORIGIN = '*';
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9.:[\]_-]+$/;

/** Whether a text is `*`, or an origin as browsers send it: `https://shop.example`, without a slash at the end. */
export function isCorsOrigin(text: string): boolean {
  if (text === ANY_ORIGIN) return true;
  if (!SCHEME_AND_HOST.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // The URL Standard has no origin for unknown schemes, such as that of a mobile application.
  return origin === 'null' || origin === text;
}

/**
 * Cross-origin resource sharing (CORS): lets pages of some origins call the interface from a browser, by the Fetch Standard. A
 * page sends its API key in `Authorization`; cookies play no part, so `Access-Control-Allow-Credentials` is never sent.
 *
 * @param origins Origins that {@link isCorsOrigin} accepts; `*` allows all.
 */
export function allowOrigins(origins: readonly string[]) {
  const allowed = new Set(origins);
  const anyOrigin = allowed.has(ANY_ORIGIN);

  function allowedOrigin({ rawHeaders }: HttpRequest): string | undefined {
    if (anyOrigin) return ANY_ORIGIN;
    const origin = onlyFieldValue(rawHeaders, 'origin');
    return origin !== undefined && allowed.has(origin) ? origin : undefined;
  }

  return {
    /** Adds the header fields that allow the page to read the answer. */
    addHeaders(headers: string[], request: HttpRequest): void {
      const origin = allowedOrigin(request);
      if (origin !== undefined) {
        headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
      }
      // Sent even if the origin is not allowed, so that no cache serves the answer for one origin to another.
      if (!anyOrigin) addToList(headers, 'Vary', 'Origin');
    },
    /** Whether a request is a preflight from an allowed origin. A preflight needs no key. */
    allowsPreflight: (request: HttpRequest): boolean => isPreflight(request) && allowedOrigin(request) !== undefined,
    preflightAnswer,
  };
}

/**
 * Allows the header fields that a preflight asks for, and the methods of its path. A page may always send `GET`, `HEAD` and `POST`,
 * and so sees the 404 of a path that has none.
 */
function preflightAnswer({ rawHeaders }: HttpRequest, methods: readonly string[]): HttpAnswer {
  const headers: string[] = [];
  if (methods.length > 0) headers.push('Access-Control-Allow-Methods', methods.join(', '));
  const fields = onlyFieldValue(rawHeaders, 'access-control-request-headers');
  if (fields !== undefined) headers.push('Access-Control-Allow-Headers', fields);
  headers.push('Access-Control-Max-Age', String(MAX_AGE_SECONDS), 'Cache-Control', 'no-store');
  return { status: 204, headers, body: '' };
}

function isPreflight({ method, rawHeaders }: HttpRequest): boolean {
  return (
    method === 'OPTIONS' &&
    onlyFieldValue(rawHeaders, 'origin') !== undefined &&
    onlyFieldValue(rawHeaders, 'access-control-request-method') !== undefined
  );
}
