import { addToList, type HttpAnswer } from './answer.js';
import type { Operation } from './operation.js';
import { onlyFieldValue, type HttpRequest } from './request.js';

/** The header fields that every operation accepts. */
const REQUEST_FIELDS = ['Authorization', 'Content-Type', 'X-Request-Id'];
/** The header fields that tracing adds to each request of a page (W3C Trace Context and Baggage), such as OpenTelemetry's. */
const TRACE_FIELDS = ['traceparent', 'tracestate', 'baggage'];
/** The header field that every answer carries, in addition to those that the Fetch Standard always exposes. */
const ANSWER_FIELDS = ['X-Request-Id'];
/** A page has no use for these: it knows how to authenticate and which methods there are, and sees the status. */
const UNEXPOSED = ['WWW-Authenticate', 'Allow'];
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
 * @param operations Every operation that pages may call. Their methods, and the header fields that their descriptions name,
 * are what a page may send and read.
 */
export function allowOrigins(origins: readonly string[], operations: readonly Operation[]) {
  const allowed = new Set(origins);
  const anyOrigin = allowed.has(ANY_ORIGIN);
  const exposed = answerFieldsOf(operations).join(', ');

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
        headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
      }
      // Sent even if the origin is not allowed, so that no cache serves the answer for one origin to another.
      if (!anyOrigin) addToList(headers, 'Vary', 'Origin');
    },
    /** Whether a request is a preflight from an allowed origin. A preflight needs no key. */
    allowsPreflight: (request: HttpRequest): boolean => isPreflight(request) && allowedOrigin(request) !== undefined,
    preflightAnswer: preflightAnswer(operations),
  };
}

function preflightAnswer(operations: readonly Operation[]): HttpAnswer {
  const headers = [
    'Access-Control-Allow-Methods',
    methodsOf(operations).join(', '),
    'Access-Control-Allow-Headers',
    requestFieldsOf(operations).join(', '),
    'Access-Control-Max-Age',
    String(MAX_AGE_SECONDS),
    'Cache-Control',
    'no-store',
  ];
  return { status: 204, headers, body: '' };
}

function methodsOf(operations: readonly Operation[]): readonly string[] {
  return unique(operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
}

/** The header fields that a request may carry. */
function requestFieldsOf(operations: readonly Operation[]): readonly string[] {
  const parameters = operations.flatMap(({ description }) => description?.parameters ?? []);
  const names = parameters.filter((each) => each.in === 'header').map(({ name }) => name);
  return unique([...REQUEST_FIELDS, ...TRACE_FIELDS, ...names]);
}

/** The header fields of an answer that a page may read. */
function answerFieldsOf(operations: readonly Operation[]): readonly string[] {
  const responses = operations.flatMap(({ description }) => Object.values(description?.responses ?? {}));
  const fields = unique([...ANSWER_FIELDS, ...responses.flatMap(({ headers = {} }) => Object.keys(headers))]);
  return fields.filter((name) => !UNEXPOSED.includes(name));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function isPreflight({ method, rawHeaders }: HttpRequest): boolean {
  return (
    method === 'OPTIONS' &&
    onlyFieldValue(rawHeaders, 'origin') !== undefined &&
    onlyFieldValue(rawHeaders, 'access-control-request-method') !== undefined
  );
}
