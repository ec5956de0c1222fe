import { JsonError, parseJson } from '../../../json/parse-json.js';
import { bodyTooLarge, ERRORS, HttpError } from '../errors.js';
import { isUtf8Json } from './media-type.js';
import { fieldValues, onlyFieldValue, type HttpRequest } from '../request.js';

/** Refuses malformed UTF-8. Keeps a byte order mark, which JSON text must not have (RFC 8259, section 8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the body of a request, which must be JSON in UTF-8, and parses it as {@link parseJson} does.
 *
 * @param limit The maximum size, in bytes.
 * @throws HttpError `body_too_large`; `unsupported_media_type`; `invalid_body` if there is no body, or if it is not UTF-8, is not
 * well-formed JSON, or is nested more than 100 levels deep.
 */
export async function readJsonBody(request: HttpRequest, limit: number): Promise<unknown> {
  if (Number(onlyFieldValue(request.rawHeaders, 'content-length')) > limit) throw bodyTooLarge(limit);
  const body = await request.readBody(limit);
  if (body.length === 0) throw new HttpError('invalid_body', 'the body is missing: it must be a JSON object');
  refuseOtherMedia(request.rawHeaders);
  const text = decodeUtf8(body);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new HttpError('invalid_body', `the body ${error.message}`);
  }
}

function refuseOtherMedia(rawHeaders: readonly string[]): void {
  const type = onlyFieldValue(rawHeaders, 'content-type') ?? '';
  if (type !== 'application/json' && !isUtf8Json(type)) {
    throw new HttpError('unsupported_media_type', ERRORS.unsupported_media_type.message);
  }
  const codings = fieldValues(rawHeaders, 'content-encoding');
  if (codings.some((coding) => coding.toLowerCase() !== 'identity')) {
    throw new HttpError('unsupported_media_type', 'Content-Encoding must be identity, or be left out');
  }
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new HttpError('invalid_body', 'the body is not valid UTF-8');
  }
}
