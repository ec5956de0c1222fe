import { safeParse } from 'fast-content-type-parse';

const QUOTED_STRING = /"(?:[^"\\]|\\.)*"/g;
const CHARSET = /;[ \t]*charset=/gi;

/**
 * Whether a `Content-Type` is `application/json`, with a `charset` of utf-8 or without one (RFC 9110, section 8.3.1).
 * Other parameters are ignored. A malformed one, or a second `charset`, makes it another type.
 */
export function isUtf8Json(contentType: string): boolean {
  const { type, parameters } = safeParse(contentType);
  if (type !== 'application/json') return false;
  const { charset } = parameters;
  return charset === undefined || (charset.toLowerCase() === 'utf-8' && charsetCount(contentType) === 1);
}

/** How many parameters `charset` a well-formed media type has. The parser keeps only the first. */
function charsetCount(contentType: string): number {
  return contentType.replace(QUOTED_STRING, '').match(CHARSET)?.length ?? 0;
}
