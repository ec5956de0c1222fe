import { JsonError, parseJson } from '../../../json/parse-json.js';
import { bodyTooLarge, ERRORS, HttpError } from '../errors.js';
import { isUtf8Json } from './media-type.js';
import { fieldValues, onlyFieldValue, type HttpRequest } from '../request.js';

/** Refuses malformed UTF-8. Keeps a byte order mark, which JSON text must not have (RFC 8259, section 8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the body of a request, which must be JSON in UTF-8, and returns its text.
 *
 * @param limit The maximum size, in bytes.
 * @throws HttpError `invalid_body` if there is no body or it is not UTF-8; `unsupported_media_type`; `body_too_large`.
 */
export async function readJsonText(request: HttpRequest, limit: number): Promise<string> {
  if (Number(onlyFieldValue(request.rawHeaders, 'content-length')) > limit) throw bodyTooLarge(limit);
  const body = await request.readBody(limit);
  if (body.length === 0) throw new HttpError('invalid_body', 'the body is missing: it must be a JSON object');
  refuseOtherMedia(request.rawHeaders);
  return decodeUtf8(body);
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
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HttpError('invalid_body', 'the body is not valid UTF-8');
  }
}

/**
 * Parses the text of a body as {@link parseJson} does.
 *
 * @throws HttpError `invalid_body` if it is not well-formed JSON, or nested more than 100 levels deep.
 */
export function parseJsonBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new HttpError('invalid_body', `the body ${error.message}`);
  }
}
