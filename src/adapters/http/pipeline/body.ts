import { bodyTooLarge } from './errors.js';
import { fieldOf } from './header-fields.js';
import type { HttpRequest } from './http-request.js';
import { refuseOtherMedia } from './media-type.js';

/**
 * Reads the body of a request, which is JSON or empty. Refuses another media type before the body arrives if its length is known, or
 * if the client waits for a 100; otherwise after it has arrived, because a body that is too large is refused for that.
 *
 * @throws HttpError `body_too_large` or `unsupported_media_type`.
 */
export async function readBody(request: HttpRequest, limit: number): Promise<Uint8Array> {
  const { rawHeaders } = request;
  const length = Number(String(fieldOf(rawHeaders, 'content-length')));
  if (length > limit) throw bodyTooLarge(limit);
  const isEarly =
    length > 0 ||
    (fieldOf(rawHeaders, 'transfer-encoding') !== undefined && fieldOf(rawHeaders, 'expect') !== undefined);
  if (isEarly) refuseOtherMedia(rawHeaders);
  const body = await request.readBody(limit);
  if (body.length > 0 && !isEarly) refuseOtherMedia(rawHeaders);
  return body;
}
