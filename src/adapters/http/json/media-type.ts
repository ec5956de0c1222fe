import { safeParse } from 'fast-content-type-parse';
import { ERRORS, HttpError } from '../pipeline/errors.js';
import { fieldOf } from '../pipeline/header-fields.js';

const OTHER_TYPE = new HttpError('unsupported_media_type', ERRORS.unsupported_media_type.message);
const ENCODED = new HttpError('unsupported_media_type', 'Content-Encoding must be identity, or be left out', [
  'Accept-Encoding',
  'identity',
]);

/** Throws an `HttpError` `unsupported_media_type` for a body that is not JSON in UTF-8, without a content coding. */
export function refuseOtherMedia(rawHeaders: readonly string[]): void {
  const type = fieldOf(rawHeaders, 'content-type');
  if (type !== 'application/json' && !(typeof type === 'string' && isUtf8Json(type))) throw OTHER_TYPE;
  const coding = fieldOf(rawHeaders, 'content-encoding');
  if (coding === undefined || (typeof coding === 'string' && coding.toLowerCase() === 'identity')) return;
  throw ENCODED;
}

const QUOTED_STRING = /"(?:[^"\\]|\\.)*"/g;
const CHARSET = /;[ \t]*charset=/gi;

/**
 * Whether a `Content-Type` is `application/json`, with a `charset` of utf-8 or without one (RFC 9110, section 8.3.1). Accepts
 * every label of UTF-8, such as `utf8`. Ignores other parameters. Returns `false` for a malformed parameter or a second
 * `charset`.
 */
function isUtf8Json(contentType: string): boolean {
  const { type, parameters } = safeParse(contentType);
  if (type !== 'application/json') return false;
  const { charset } = parameters;
  return charset === undefined || (isUtf8(charset) && charsetCount(contentType) === 1);
}

/** Whether a label means UTF-8 in the Encoding Standard, which `TextDecoder` implements. */
function isUtf8(label: string): boolean {
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    return false;
  }
}

/** How many parameters `charset` a well-formed media type has. The parser keeps only the first. */
function charsetCount(contentType: string): number {
  return contentType.replace(QUOTED_STRING, '').match(CHARSET)?.length ?? 0;
}
