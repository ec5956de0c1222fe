import { safeParse } from 'fast-content-type-parse';
import { ERRORS, HttpError } from './errors.js';
import { fieldOf } from './header-fields.js';

const OTHER_TYPE = new HttpError('unsupported_media_type', ERRORS.unsupported_media_type.message);
const ENCODED = new HttpError('unsupported_media_type', 'Content-Encoding must be identity, or be left out', [
  'Accept-Encoding',
  'identity',
]);

export function refuseOtherMedia(rawHeaders: readonly string[]): void {
  const type = fieldOf(rawHeaders, 'content-type');
  if (type !== 'application/json' && !(typeof type === 'string' && isUtf8Json(type))) throw OTHER_TYPE;
  const coding = fieldOf(rawHeaders, 'content-encoding');
  if (coding === undefined || (typeof coding === 'string' && coding.toLowerCase() === 'identity')) return;
  throw ENCODED;
}

/** RFC 9110, section 8.3.1. */
function isUtf8Json(contentType: string): boolean {
  const { type, parameters } = safeParse(contentType);
  return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
}
