import fresh from 'fresh';
import Negotiator from 'negotiator';
import { errorAnswer, type OperationAnswer } from './answer.js';
import { ERRORS } from './errors.js';
import type { Operation } from './operation.js';
import { fieldValues } from './request.js';
import type { Coding, Content } from './content.js';

/** A file that does not change while the process runs. Its path needs no key. */
export interface StaticFile {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Additional header fields of a 200: names and values alternating. @default none */
  readonly headers?: readonly string[];
  readonly content: Content;
}

/** The `Cache-Control` of a file that a client may cache, but must revalidate each time. */
export const REVALIDATED = 'no-cache';
/** The `Cache-Control` of a file whose path contains a hash of its bytes: a client never needs to revalidate it (RFC 8246). */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The codings in order of preference if the client has none: the smallest first. */
const PREFERRED: readonly Coding[] = ['br', 'gzip'];

/**
 * `GET` of a file, in the content coding that the client prefers. A client that accepts none of the codings gets the unencoded
 * bytes. Answers 412 if `If-Match` is false, otherwise 304 if the client has that representation already (RFC 9110, sections
 * 12.5.3 and 13.2.2). A file has no date, so `If-Unmodified-Since` and `If-Modified-Since` are ignored.
 */
export function serveFile({ path, contentType, cacheControl, headers = [], content }: StaticFile): Operation {
  const codings = Object.keys(content) as Coding[];
  const varying = codings.length > 1 ? ['Vary', 'Accept-Encoding'] : [];
  return {
    method: 'GET',
    path,
    async handle({ request: { rawHeaders } }): Promise<OperationAnswer> {
      const coding = preferredCoding(rawHeaders, codings);
      const { bytes, etag } = await (content[coding] ?? content.identity)();
      if (isMatchFailed(rawHeaders, etag)) {
        return errorAnswer('precondition_failed', ERRORS.precondition_failed.message, varying);
      }
      const always = ['ETag', etag, 'Cache-Control', cacheControl, ...varying];
      if (hasCurrent(rawHeaders, etag)) return { status: 304, headers: always, body: '' };
      const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding];
      return { status: 200, headers: ['Content-Type', contentType, ...encoding, ...always, ...headers], body: bytes };
    },
  };
}

/** The part of `negotiator` that its types lack. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

function preferredCoding(rawHeaders: readonly string[], codings: readonly Coding[]): Coding {
  // A request without the field is treated like one with an empty field, which accepts only `identity`.
  const headers = { 'accept-encoding': joinedField(rawHeaders, 'accept-encoding') };
  const negotiator: EncodingNegotiator = new Negotiator({ headers });
  const [coding = 'identity'] = negotiator.encodings(codings, { preferred: PREFERRED });
  return coding as Coding;
}

/**
 * Whether a request has an `If-Match` that is false. Its comparison is strong, so a weak tag matches nothing (RFC 9110,
 * sections 13.1.1 and 8.8.3.2). Splits at every comma, because the tags of files contain none.
 */
function isMatchFailed(rawHeaders: readonly string[], etag: string): boolean {
  const values = fieldValues(rawHeaders, 'if-match');
  if (values.length === 0) return false;
  const tags = values.flatMap((value) => value.split(',')).map((tag) => tag.trim());
  return !(tags.includes(etag) || (tags.length === 1 && tags[0] === '*'));
}

function hasCurrent(rawHeaders: readonly string[], etag: string): boolean {
  return fresh({ 'if-none-match': joinedField(rawHeaders, 'if-none-match') }, { etag });
}

/** The value of a field that holds a list, which may be spread over several fields (RFC 9110, section 5.3). */
function joinedField(rawHeaders: readonly string[], name: string): string {
  return fieldValues(rawHeaders, name).join(', ');
}
