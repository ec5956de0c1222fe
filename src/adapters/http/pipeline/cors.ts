import { fieldOf } from './header-fields.js';
import type { HttpRequest } from './http-request.js';
import type { OperationResponse } from './http-response.js';

/** What a page may read in addition to the header fields that the Fetch Standard always exposes. */
const EXPOSED = 'Link, Location, X-Request-Id, Deprecation, Sunset, Retry-After, Idempotency-Replayed';
/** Two hours, the longest time that all browsers accept. */
const MAX_AGE_SECONDS = '7200';

const ANY_ORIGIN = '*';
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9.:[\]_-]+$/;

/** Whether a text is `*`, or an origin as browsers send it: `https://shop.example`, without a slash. */
export function isCorsOrigin(text: string): boolean {
  if (text === ANY_ORIGIN) return true;
  if (!SCHEME_AND_HOST.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  // The URL Standard has no origin for unknown schemes, such as that of a mobile application.
  return origin === 'null' || origin === text;
}

export type Cors = ReturnType<typeof allowOrigins>;

/** By the Fetch Standard. Pages send the API key in `Authorization`, not in cookies, so no `Access-Control-Allow-Credentials` is sent. */
export function allowOrigins(origins: readonly string[]) {
  const allowed = new Set<unknown>(origins);
  const anyOrigin = allowed.has(ANY_ORIGIN);

  function allowedOrigin({ rawHeaders }: HttpRequest): string | undefined {
    if (anyOrigin) return ANY_ORIGIN;
    const origin = fieldOf(rawHeaders, 'origin');
    return typeof origin === 'string' && allowed.has(origin) ? origin : undefined;
  }

  return {
    /** Needs no key. A page may always send `GET`, `HEAD` and `POST`, and so sees the 404 of a path that has no methods. */
    preflightResponse(request: HttpRequest, methods: readonly string[]): OperationResponse | undefined {
      if (!isPreflight(request) || allowedOrigin(request) === undefined) return undefined;
      const headers = ['Access-Control-Max-Age', MAX_AGE_SECONDS];
      if (methods.length > 0) headers.push('Access-Control-Allow-Methods', methods.join(', '));
      const fields = fieldOf(request.rawHeaders, 'access-control-request-headers');
      if (typeof fields === 'string') headers.push('Access-Control-Allow-Headers', fields);
      return { status: 204, headers, body: '' };
    },

    addHeaders(headers: string[], request: HttpRequest): void {
      const origin = allowedOrigin(request);
      if (origin !== undefined) {
        headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
      }
      // Otherwise, a cache could serve the response for one origin to another.
      if (!anyOrigin) headers.push('Vary', 'Origin');
    },
  };
}

function isPreflight({ method, rawHeaders }: HttpRequest): boolean {
  return (
    method === 'OPTIONS' &&
    typeof fieldOf(rawHeaders, 'origin') === 'string' &&
    typeof fieldOf(rawHeaders, 'access-control-request-method') === 'string'
  );
}
